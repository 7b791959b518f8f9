import { startTimer } from './system-clock.js'

/** The turns of the event loop's microtasks in which work may end before a timer is started for it. */
const TURNS = 30

interface Work {
  readonly promise: Promise<unknown>
  /** Whether an advance of the clock still waits for it. */
  isAwaited: boolean
}

/** Tracks work that has started but not ended, such as webhook attempts. */
export class InFlight {
  readonly #work = new Set<Work>()

  /** The number of promises that have not settled. */
  get size(): number {
    return this.#work.size
  }

  /** Whether {@link idle} waits for anything. */
  get isAwaited(): boolean {
    for (const { isAwaited } of this.#work) if (isAwaited) return true
    return false
  }

  /** Counts a piece of work until its promise settles. The caller handles a rejection. */
  track(promise: Promise<unknown>): void {
    const work = { promise, isAwaited: true }
    this.#work.add(work)
    const forget = () => this.#work.delete(work)
    promise.then(forget, forget)
  }

  /** Forgets all work, for a reset. */
  clear(): void {
    this.#work.clear()
  }

  /** Resolves when everything that is in flight now has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#work].map(({ promise }) => promise))
  }

  /**
   * Resolves when nothing is in flight, or after `patience` milliseconds of real time. It waits only once for work that
   * exceeds `patience`, so a receiver that never answers delays an advance once, not at every step.
   */
  async idle(patience: number): Promise<void> {
    // A receiver in this process may answer at once, and then needs no timer.
    for (let turn = 0; turn < TURNS && this.isAwaited; turn++) await undefined
    while (this.isAwaited) {
      const waiting = [...this.#work].filter(({ isAwaited }) => isAwaited)
      const ends = Promise.allSettled(waiting.map(({ promise }) => promise))
      if (!(await endsWithin(patience, ends))) for (const work of waiting) work.isAwaited = false
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
