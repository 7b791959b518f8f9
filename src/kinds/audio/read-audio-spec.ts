import { completeRange, type Limits } from '../../engine/assets/limits.js'
import { AUDIO_FORMATS, type AudioSpec } from '../../engine/assets/media-spec.js'
import { formatsOf, type Parameters } from '../parameters.js'

/** Reads the spec of a sound: by default, five seconds of MP3. */
export function readAudioSpec(parameters: Parameters, { seconds, formats }: Limits): AudioSpec {
  const possible = formatsOf(AUDIO_FORMATS, formats)
  return {
    kind: 'audio',
    format: parameters.choice(parameters.find('output_format', 'format'), possible.words, possible.fallback),
    seconds: parameters.seconds(
      parameters.find('duration'),
      completeRange(seconds, { min: 0.5, max: 300 }),
      5,
    ),
  }
}
