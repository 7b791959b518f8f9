import type { JsonObject } from '../json.js'
import { Recent } from '../recent.js'
import type { Kind } from '../tasks/task.js'
import type { MediaSettings } from './limits.js'
import type { MediaOrder } from './media-order.js'
import { audioOrder } from './order-audio.js'
import { imageOrder } from './order-image.js'
import { videoOrder } from './order-video.js'
import { Parameters } from './parameters.js'

// Most tasks order the same few things, and every task keeps its order.
const orders = new Recent<string, MediaOrder>()

/**
 * Works out what an input orders; what it leaves open is as usual: a png of 1024 x 1024, five seconds of 720p in
 * 16:9 without sound, or five seconds of mp3.
 * @returns undefined for a kind whose outputs are no media of their own
 * @throws InputError where it asks for what the model cannot make, unless the model is lenient
 */
export function mediaOrder(
  kind: Kind,
  input: JsonObject,
  { lenient = false, limits = {} }: MediaSettings = {},
): MediaOrder | undefined {
  const parameters = new Parameters(input, lenient)
  switch (kind) {
    case 'image':
      return shared(imageOrder(parameters, limits))
    case 'video':
      return shared(videoOrder(parameters, limits))
    case 'audio':
      return shared(audioOrder(parameters, limits))
    default:
      return undefined
  }
}

function shared(order: MediaOrder): MediaOrder {
  const key = Object.values(order).join(' ')
  const known = orders.get(key)
  if (known !== undefined) return known
  orders.set(key, order)
  return order
}
