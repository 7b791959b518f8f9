import Queue from 'yocto-queue'

/**
 * A piece of work; it must not reject.
 * @param movedOn resolves when it has ended and whatever waited for its place has begun
 */
export type Work = (movedOn: Promise<void>) => Promise<void>

interface Lane {
  underWay: number
  readonly waiting: Queue<Work>
}

// Enough to keep a receiver busy, few enough not to be an attack on it.
const MOST_AT_ONCE = 32

/**
 * Runs work by lanes, a bounded number at a time in each. It tells when the next in line has begun, which a
 * clock that is being advanced has to know before it goes on.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()

  /** Begins the work now, or as soon as its lane has a place. */
  run(name: string, work: Work): void {
    const lane = this.#lanes.get(name) ?? { underWay: 0, waiting: new Queue() }
    this.#lanes.set(name, lane)
    if (lane.underWay < MOST_AT_ONCE) this.#begin(name, lane, work)
    else lane.waiting.enqueue(work)
  }

  /** Forgets what waits. What is under way ends by itself. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.clear()
    this.#lanes.clear()
  }

  async #begin(name: string, lane: Lane, work: Work): Promise<void> {
    lane.underWay += 1
    let moveOn = () => {}
    await work(
      new Promise((resolve) => {
        moveOn = resolve
      }),
    )
    lane.underWay -= 1
    const next = lane.waiting.dequeue()
    if (next !== undefined) this.#begin(name, lane, next)
    else if (lane.underWay === 0 && this.#lanes.get(name) === lane) this.#lanes.delete(name)
    moveOn()
  }
}
