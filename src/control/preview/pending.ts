/** The work of a sample that is not done yet. The first failure ends the sample. */
export class Pending {
  readonly #signal: AbortSignal | undefined
  readonly #work = new Set<Promise<unknown>>()
  #failure: { readonly error: unknown } | undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  get size(): number {
    return this.#work.size
  }

  add(work: Promise<unknown>): void {
    this.#work.add(work)
    work
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#work.delete(work))
  }

  /** @throws the first error of the work, or the reason of the signal */
  check(): void {
    this.#signal?.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
