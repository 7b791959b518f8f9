/** An inclusive range. */
export interface Range {
  readonly min: number
  readonly max: number
}

type Bounds = { readonly [Bound in keyof Range]?: number | undefined }

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

/** Fills in missing bounds from the default range. */
export function completeRange(bounds: Bounds = {}, defaults: Range): Range {
  const {
    min = Math.min(defaults.min, bounds.max ?? Infinity),
    max = Math.max(defaults.max, bounds.min ?? 0),
  } = bounds
  return { min, max }
}
