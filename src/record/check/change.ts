/** A difference between a scenario and a history. */
export interface Change {
  /** The id of a model; for a limit also the name of a kind, or `all models`. */
  readonly name: string
  readonly what:
    | 'delay'
    | 'queueing'
    | 'failures'
    | 'errors'
    | 'price'
    | 'limit'
    | 'new model'
    | 'missing model'
  /** The figures of the scenario, and those of the history. */
  readonly before: string
  readonly after: string
}

/** A statistical test. */
export interface Test {
  readonly change: Change
  /** The probability of such a difference by chance. */
  readonly p: number
}

/** The results of comparing a part of a scenario with a history. */
export interface Comparison {
  readonly tests: readonly Test[]
  /** The changes that cannot be due to chance. */
  readonly certain: readonly Change[]
  /** What was not compared and why, one sentence each. */
  readonly gaps: readonly string[]
}
