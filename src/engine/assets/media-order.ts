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
