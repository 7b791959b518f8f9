import { startTimer } from './system-clock.js'

/** The turns of the event loop's microtasks in which work may end before a timer is started for it. */
const TURNS = 30

/** Tracks work that has started but not ended, such as webhook attempts. */
export class InFlight {
  readonly #awaited = new Set<Promise<unknown>>()
  readonly #overdue = new Set<Promise<unknown>>()

  /** The number of promises that have not settled. */
  get size(): number {
    return this.#awaited.size + this.#overdue.size
  }

  /** Whether {@link idle} waits for anything. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0
  }

  /** Counts a piece of work until its promise settles. The caller handles a rejection. */
  track(work: Promise<unknown>): void {
    this.#awaited.add(work)
    const forget = () => {
      this.#awaited.delete(work)
      this.#overdue.delete(work)
    }
    work.then(forget, forget)
  }

  /** Forgets all work, for a reset. */
  clear(): void {
    this.#awaited.clear()
    this.#overdue.clear()
  }

  /** Resolves when everything that is in flight now has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#awaited, ...this.#overdue])
  }

  /**
   * Resolves when nothing is in flight, or after `patience` milliseconds of real time. It waits only once for work that
   * exceeds `patience`, so a receiver that never answers delays an advance once, not at every step.
   */
  async idle(patience: number): Promise<void> {
    // A receiver in this process may answer at once, and then needs no timer.
    for (let turn = 0; turn < TURNS && this.#awaited.size > 0; turn++) await undefined
    while (this.#awaited.size > 0) {
      const waiting = [...this.#awaited]
      if (await endsWithin(patience, Promise.allSettled(waiting))) continue
      for (const work of waiting) {
        if (this.#awaited.delete(work)) this.#overdue.add(work)
      }
    }
  }
}

/** Whether work ends within `patience` milliseconds of real time. */
export function endsWithin(patience: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = startTimer(patience, () => resolve(false), true)
    work.then(() => {
      cancel()
      resolve(true)
    })
  })
}
