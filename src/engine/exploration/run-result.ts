/** What a client may make of a deviation, the worst first. */
export const RUN_RESULTS = [
  'crashed',
  'hung',
  'paid_twice',
  'accepted_forgery',
  'lost_result',
  'wrong_result',
  'finding',
  'gave_up',
  'reported',
  'recovered',
] as const
/** What a client made of a deviation. */
export type RunResult = (typeof RUN_RESULTS)[number]

/** A result that is right, although the rules of explorations say otherwise. */
export interface ExpectedResult {
  /** A place, or a pattern with `*`. */
  readonly place: string
  /** The word of a deviation, or a pattern with `*`. */
  readonly deviation: string
  readonly expect: RunResult
  /** Why it is right. */
  readonly because: string
}
