import type { KindDefinition } from '../kind.js'
import { produceClip } from '../produce-clip.js'
import { readAudioSpec } from './read-audio-spec.js'

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
