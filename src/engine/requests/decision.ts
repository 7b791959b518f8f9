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
  /** The name of the fault rule or of the rate limit; `missing_key` or `refused_key` for an API key. */
  readonly name?: string | undefined
  /** The invalid field, parameter or header. */
  readonly field?: string | undefined
  /** The reason as a sentence. */
  readonly reason: string
}
