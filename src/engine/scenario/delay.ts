import type { Bounds } from './bounds.js'

/** A fixed duration or a distribution of durations, in milliseconds. */
export type Spread =
  | number
  | { readonly min: number; readonly max: number }
  | ({ readonly median: number; readonly p95: number } & Bounds)
  | ({ readonly mu: number; readonly sigma: number } & Bounds)
  | ({ readonly mean: number; readonly stddev: number } & Bounds)
  | ({ readonly mean: number } & Bounds)
  | { readonly percentiles: Readonly<Record<string, number>> }

/** How long processing takes: a duration, or the number of the poll at which the task ends. */
export type Delay = Spread | { readonly polls: number }
