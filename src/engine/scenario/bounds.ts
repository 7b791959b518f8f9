/** Inclusive bounds. A missing bound sets no limit. */
export interface Bounds {
  /** The lower bound. */
  readonly min?: number | undefined
  /** The upper bound. */
  readonly max?: number | undefined
}
