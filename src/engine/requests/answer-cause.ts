import type { Fault } from './fault.js'

/** Why a request was rejected. */
export interface Rejection {
  /** Such as `rate_limited`. */
  readonly code: string
  /** What exactly was wrong, where services distinguish more than the code does. */
  readonly cause: string | undefined
  readonly message: string
  /** The invalid field or parameter. */
  readonly param: string | undefined
  /** The name of the rate limit that is used up. */
  readonly limit: string | undefined
}

/** A fault that applied to a request. */
export interface FaultCause {
  readonly fault: Fault
  /** The name of the rule, or `directive`. */
  readonly rule: string
}

/** Why a request got its answer, if its operation did not answer normally. */
export type AnswerCause = Rejection | FaultCause
