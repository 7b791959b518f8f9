import { Recent } from '../recent.js'
import type { JsonObject, Kind } from '../task/task.js'
import type { MediaSettings } from './limits.js'
import { audioOrder } from './order-audio.js'
import { imageOrder } from './order-image.js'
import { videoOrder } from './order-video.js'
import { Parameters } from './parameters.js'

/** The formats of pictures, in the service's words; `jpg` is read as `jpeg`. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const
export const AUDIO_FORMATS = ['mp3', 'wav'] as const

/** Pictures that were ordered: `count` of them, each `width` x `height` pixels. */
export interface ImageOrder {
  readonly kind: 'image'
  readonly width: number
  readonly height: number
  readonly format: (typeof IMAGE_FORMATS)[number]
  readonly count: number
}

/** A video that was ordered; its size is one of the nine for which there are clips. */
export interface VideoOrder {
  readonly kind: 'video'
  readonly width: number
  readonly height: number
  readonly format: 'mp4'
  readonly seconds: number
  /** Whether it has a sound track. */
  readonly sound: boolean
}

/** A sound that was ordered. */
export interface AudioOrder {
  readonly kind: 'audio'
  readonly format: (typeof AUDIO_FORMATS)[number]
  readonly seconds: number
}

/** What the files of a task are to be: settled when the task is created, from its input and its model's limits. */
export type MediaOrder = ImageOrder | VideoOrder | AudioOrder

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
