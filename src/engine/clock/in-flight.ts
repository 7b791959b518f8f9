import { startTimer } from './system-clock.js'

/** The turns of the event loop's microtasks in which work may end before a timer is started for it. */
const TURNS = 30

interface Work {
  readonly promise: Promise<unknown>
  /** Its index in the list of all work. */
  place: number
  /** Whether an advance of the clock still waits for it. */
  isAwaited: boolean
}

/** Tracks work that has started but not ended, such as webhook attempts. */
export class InFlight {
  /** In no order. A list, because V8 allocates a new table whenever the last entry of a `Set` is deleted. */
  #work: Work[] = []
  #awaited = 0

  /** The number of promises that have not settled. */
  get size(): number {
    return this.#work.length
  }

  /** Whether {@link idle} waits for anything. */
  get isAwaited(): boolean {
    return this.#awaited > 0
  }

  /** Counts a piece of work until its promise settles. The caller handles a rejection. */
  track(promise: Promise<unknown>): void {
    const work = { promise, place: this.#work.length, isAwaited: true }
    this.#work.push(work)
    this.#awaited += 1
    const forget = () => this.#forget(work)
    promise.then(forget, forget)
  }

  /** Forgets all work, for a reset. */
  clear(): void {
    this.#work = []
    this.#awaited = 0
  }

  /** Resolves when everything that is in flight now has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#work.map(({ promise }) => promise))
  }

  /**
   * Resolves when nothing is in flight, or after `patience` milliseconds of real time. It waits only once for work that
   * exceeds `patience`, so a receiver that never answers delays an advance once, not at every step.
   */
  async idle(patience: number): Promise<void> {
    // A receiver in this process may answer at once, and then needs no timer.
    for (let turn = 0; turn < TURNS && this.isAwaited; turn++) await undefined
    while (this.isAwaited) {
      const waiting = this.#work.filter(({ isAwaited }) => isAwaited)
      const ends = Promise.allSettled(waiting.map(({ promise }) => promise))
      if (!(await endsWithin(patience, ends))) for (const work of waiting) this.#stopWaitingFor(work)
    }
  }

  #forget(work: Work): void {
    // After a reset, the list no longer contains the work.
    if (this.#work[work.place] !== work) return
    this.#stopWaitingFor(work)
    const last = this.#work.pop() as Work
    if (last === work) return
    this.#work[work.place] = last
    last.place = work.place
  }

  #stopWaitingFor(work: Work): void {
    if (!work.isAwaited || this.#work[work.place] !== work) return
    work.isAwaited = false
    this.#awaited -= 1
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
