/**
 * Aborts an attempt, once. It is an `AbortController` that creates its signal only for a transport that reads it: a
 * signal costs more than the signature of a webhook, and most receivers in a test process ignore it.
 */
export class AttemptAbort {
  #controller: AbortController | undefined
  #reason: Error | undefined
  #listener: ((reason: Error) => void) | undefined

  /** Aborted with the attempt. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** Aborts the attempt, unless it is aborted already. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#listener?.(reason)
  }

  /** Sets the function to call with the reason of the abort; at once if the attempt is aborted already. */
  onAbort(listener: (reason: Error) => void): void {
    this.#listener = listener
    if (this.#reason !== undefined) listener(this.#reason)
  }
}
