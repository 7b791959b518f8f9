import { AUDIO_FORMATS, type AudioSpec, type Limits } from '../../engine/assets/media-spec.js'
import type { KindDefinition } from '../kind.js'
import { completeRange, formatsOf, type Parameters } from '../parameters.js'
import { produceClip } from '../produce-clip.js'

/** Reads the spec of a sound: by default, five seconds of MP3. */
function readAudioSpec(parameters: Parameters, { seconds, formats }: Limits): AudioSpec {
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

/** Models that generate speech, music or sounds. */
export const audio: KindDefinition<'audio'> = {
  name: 'audio',
  models: 'Audio models',
  pollInterval: 1_000,
  example: { model: 'example/audio', input: { prompt: 'waves', duration: 5 } },
  order: readAudioSpec,
  produce: produceClip,
  outputOf: (_, urlOf) => ({ audio: urlOf(0) }),
}
