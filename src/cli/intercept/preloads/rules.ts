/** The variable with the port of the interceptor. Without it, the preloads change nothing. */
export const PORT_VARIABLE = 'TASKSIM_INTERCEPT_PORT'

/** Which connections the preloads change. */
export interface PreloadRules {
  /** The authorities that lead to the interceptor, such as `api.replicate.com:443`. */
  readonly authorities: readonly string[]
  /** Patterns of further hosts whose connections pass; `*` matches any characters. */
  readonly passing: readonly string[]
}

/** Says that a connection was refused, and how to let it pass. */
export function refusalOf(host: string): string {
  return `tasksim refused the connection to ${host}, which is not a host of a simulated service. To let it pass, add --intercept-allow ${host}`
}
