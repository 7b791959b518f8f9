/** The error for a request that the control API rejected. The message says why, and what to do. */
export class ControlError extends Error {
  /** Distinguishes this error from other errors. */
  override readonly name = 'ControlError'
  /** The HTTP status of the response. */
  readonly status: number
  /** The error code, such as `invalid_request`; `unknown` if the response had none. */
  readonly code: string
  /** The whole `error` of the response, such as the `mistakes` in a scenario. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, details: Readonly<Record<string, unknown>>) {
    super(String(details['message'] ?? `The control API responded with ${status}.`))
    this.status = status
    this.code = String(details['code'] ?? 'unknown')
    this.details = details
  }
}
