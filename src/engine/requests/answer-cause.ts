import type { Fault } from './fault.js'

/** The parts of the service that can decide the answer to a request. */
export const DECIDERS = [
  'operation',
  'fault',
  'rate_limit',
  'capacity',
  'credits',
  'api_key',
  'validation',
  'routing',
  'not_found',
  'conflict',
  'signed_url',
  'memory',
  'failure',
] as const

export type Decider = (typeof DECIDERS)[number]

/** Why a request got its answer, if its operation did not answer normally. */
export interface Decision {
  readonly what: Decider
  /**
   * The name of the fault rule or of the rate limit; `missing_key` or `refused_key` for an API key; why a task is not
   * found, such as `other_key`.
   */
  readonly name?: string | undefined
  /** The invalid field, parameter or header. */
  readonly field?: string | undefined
  /** The reason as a sentence. */
  readonly reason: string
}

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
  /** What tasksim knows beyond the message, which the client sees. */
  readonly known?: { readonly name: string; readonly reason: string } | undefined
}

/** A fault that applied to a request. */
export interface FaultCause {
  readonly fault: Fault
  /** The name of the rule, or `directive`. */
  readonly rule: string
}

/** Why a request got its answer, if its operation did not answer normally. */
export type AnswerCause = Rejection | FaultCause
