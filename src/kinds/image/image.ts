import { filesResult } from '../files-result.js'
import type { KindDefinition } from '../kind.js'
import { readImageSpec } from './read-image-spec.js'

/** Models that generate one or more images. */
export const image: KindDefinition<'image'> = {
  name: 'image',
  models: 'Image models',
  pollInterval: 1_000,
  example: { model: 'example/image', input: { prompt: 'a lighthouse at dawn' } },
  order: readImageSpec,
  produce({ media }) {
    const images = media?.kind === 'image' ? media.count : 1
    return { result: filesResult(images), usage: { images } }
  },
  outputOf: (files, urlOf) => ({ images: Array.from({ length: files }, (_, file) => urlOf(file)) }),
}
