import type { KindDefinition } from '../kind.js'
import { produceClip } from '../produce-clip.js'
import { readVideoSpec } from './read-video-spec.js'

/** Models that generate a video. */
export const video: KindDefinition<'video'> = {
  name: 'video',
  models: 'Video models',
  pollInterval: 3_000,
  example: { model: 'example/video', input: { prompt: 'waves', duration: 5 } },
  recognizes: (input) => Object.hasOwn(input, 'duration'),
  order: readVideoSpec,
  produce: produceClip,
  outputOf: (_, urlOf) => ({ video: urlOf(0) }),
}
