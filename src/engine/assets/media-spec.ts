/** The formats of pictures, as the service names them; `jpg` is an alias of `jpeg`. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const

export const AUDIO_FORMATS = ['mp3', 'wav'] as const

/** The pictures of a task: `count` pictures of `width` x `height` pixels. */
export interface ImageSpec {
  readonly kind: 'image'
  readonly width: number
  readonly height: number
  readonly format: (typeof IMAGE_FORMATS)[number]
  readonly count: number
}

/** The video of a task. Its size is one of nine supported sizes. */
export interface VideoSpec {
  readonly kind: 'video'
  readonly width: number
  readonly height: number
  readonly format: 'mp4'
  readonly seconds: number
  /** The number of videos, if there are several. */
  readonly count?: number | undefined
  /** Whether it has a sound track. */
  readonly sound: boolean
}

/** The sound of a task. */
export interface AudioSpec {
  readonly kind: 'audio'
  readonly format: (typeof AUDIO_FORMATS)[number]
  readonly seconds: number
}

/** The audio that a task transcribes. It has no format, because the transcript is not a file. */
export interface TranscriptSpec {
  readonly kind: 'transcript'
  readonly seconds: number
}

/** The media of a task, determined at its creation by its input and the limits of its model. */
export type MediaSpec = ImageSpec | VideoSpec | AudioSpec | TranscriptSpec

/** An inclusive range. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** A range of which a bound may be missing. */
export type Bounds = { readonly [Bound in keyof Range]?: number | undefined }

/** The limits of a model in a scenario; undefined fields have defaults. */
export interface Limits {
  /** The length of each side of a picture, in pixels. */
  readonly side?: Bounds | undefined
  /** The maximum number of pictures per task. */
  readonly images?: number | undefined
  /** The duration of a video or a sound. */
  readonly seconds?: Bounds | undefined
  /**
   * The supported formats. The default is the default format of the kind if the list contains it, otherwise the first
   * format of the list.
   */
  readonly formats?: readonly string[] | undefined
}

/** How a model treats the media parameters of an input. */
export interface MediaSettings {
  /** Whether unsupported values are replaced by the nearest supported ones instead of being rejected. */
  readonly lenient?: boolean | undefined
  readonly limits?: Limits | undefined
}
