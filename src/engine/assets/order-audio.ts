import { type Limits, within } from './limits.js'
import { AUDIO_FORMATS, type AudioOrder } from './media-order.js'
import { formatsOf, type Parameters } from './parameters.js'

/** The sound that an input orders. */
export function audioOrder(parameters: Parameters, { seconds, formats }: Limits): AudioOrder {
  const possible = formatsOf(AUDIO_FORMATS, formats)
  return {
    kind: 'audio',
    format: parameters.word(parameters.find('output_format', 'format'), possible.words, possible.usual),
    seconds: parameters.seconds(parameters.find('duration'), within(seconds, { min: 0.5, max: 300 }), 5),
  }
}
