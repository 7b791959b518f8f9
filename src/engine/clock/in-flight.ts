import { startTimer } from './system-clock.js'

/** Work that has begun and not ended, such as a webhook attempt that waits for its receiver's answer. */
export class InFlight {
  readonly #awaited = new Set<Promise<unknown>>()
  readonly #overdue = new Set<Promise<unknown>>()

  /** How many pieces of work have not ended. */
  get size(): number {
    return this.#awaited.size + this.#overdue.size
  }

  /** Counts a piece of work until its promise settles; a rejection is its owner's business. */
  track(work: Promise<unknown>): void {
    this.#awaited.add(work)
    const forget = () => {
      this.#awaited.delete(work)
      this.#overdue.delete(work)
    }
    work.then(forget, forget)
  }

  /** Forgets all work, as after a reset. */
  clear(): void {
    this.#awaited.clear()
    this.#overdue.clear()
  }

  /** Resolves when all that is in flight now has ended, however long that takes. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#awaited, ...this.#overdue])
  }

  /**
   * Resolves when nothing is in flight, or when what is has been waited for `patience` milliseconds of real
   * time. Work that used up its patience once is not waited for again, so that a receiver that never answers
   * delays a clock that is being advanced once and not at every step.
   */
  async idle(patience: number): Promise<void> {
    while (this.#awaited.size > 0) {
      const waiting = [...this.#awaited]
      if (await endsWithin(patience, Promise.allSettled(waiting))) continue
      for (const work of waiting) {
        if (this.#awaited.delete(work)) this.#overdue.add(work)
      }
    }
  }
}

/** Whether work ends within so many milliseconds of real time. */
export function endsWithin(patience: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = startTimer(patience, () => resolve(false), true)
    work.then(() => {
      cancel()
      resolve(true)
    })
  })
}
