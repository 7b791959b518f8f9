/** A lowest and a highest value. */
export interface Range {
  readonly min: number
  readonly max: number
}

type Bounds = { readonly [Bound in keyof Range]?: number | undefined }

/** What a model can make, as a scenario says it; what is left open is as usual. */
export interface Limits {
  /** Of a picture, in pixels: how short and how long a side may be. */
  readonly side?: Bounds | undefined
  /** How many pictures a task may ask for. */
  readonly images?: number | undefined
  /** How long a video or a sound may be. */
  readonly seconds?: Bounds | undefined
  /** Which of the kind's formats there are; the first is the usual one, unless the kind's own usual one is among them. */
  readonly formats?: readonly string[] | undefined
}

/** How a model takes what it is asked for. */
export interface MediaSettings {
  /** Whether what it cannot make is replaced by what is nearest, instead of being refused. */
  readonly lenient?: boolean | undefined
  /** What it can make. */
  readonly limits?: Limits | undefined
}

/** The range that some bounds leave of the usual one. */
export function within(bounds: Bounds = {}, usual: Range): Range {
  const { min = Math.min(usual.min, bounds.max ?? Infinity), max = Math.max(usual.max, bounds.min ?? 0) } =
    bounds
  return { min, max }
}
