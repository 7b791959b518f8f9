/** The names of the headers with the state of a rate limit. */
export interface LimitHeaders {
  /** The number of requests per period. */
  readonly limit?: string | undefined
  /** The number of requests that are left. */
  readonly remaining?: string | undefined
  /** The time until all requests are available again. */
  readonly reset?: string | undefined
  /** Writes that time in milliseconds; by default, it is a number of whole seconds. */
  readonly writeReset?: ((span: number) => string) | undefined
}
