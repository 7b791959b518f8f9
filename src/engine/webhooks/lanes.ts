import Queue from 'yocto-queue'

/**
 * A piece of work; it must not reject.
 * @param movedOn resolves when it has ended and whatever waited for its place has begun
 */
export type Work = (movedOn: Promise<void>) => Promise<void>

/** How much work is under way at a time: enough to keep a receiver busy, and not so much that it is an attack. */
export const MOST_AT_ONCE = {
  /** To one receiver: to one path of an origin, whatever the query. */
  receiver: 32,
  /** To all receivers of one origin together. */
  origin: 256,
} as const

interface Origin {
  underWay: number
  readonly lanes: Map<string, Lane>
  /** The lanes that have work waiting and a free place, each once; they take turns. */
  readonly ready: Queue<Lane>
}

interface Lane {
  readonly path: string
  underWay: number
  isReady: boolean
  readonly waiting: Queue<Work>
}

/**
 * Runs work for receivers, a bounded number at a time for each of them and for each origin, so that a receiver that
 * hangs delays no other one. It tells when the next piece of work has begun, which a clock that is being advanced
 * has to know before it goes on.
 */
export class Lanes {
  readonly #origins = new Map<string, Origin>()

  /** Begins the work now, or as soon as its receiver and its origin have a place. */
  run(url: string, work: Work): void {
    const { origin: name, pathname } = new URL(url)
    const origin = this.#origins.get(name) ?? { underWay: 0, lanes: new Map(), ready: new Queue() }
    this.#origins.set(name, origin)
    const lane = origin.lanes.get(pathname) ?? newLane(pathname)
    origin.lanes.set(pathname, lane)
    lane.waiting.enqueue(work)
    markReady(origin, lane)
    this.#beginNext(name, origin)
  }

  /** Forgets what waits. What is under way ends by itself. */
  clear(): void {
    for (const { lanes, ready } of this.#origins.values()) {
      for (const { waiting } of lanes.values()) waiting.clear()
      ready.clear()
    }
    this.#origins.clear()
  }

  #beginNext(name: string, origin: Origin): void {
    while (origin.underWay < MOST_AT_ONCE.origin) {
      const lane = origin.ready.dequeue()
      if (lane === undefined) return
      lane.isReady = false
      const work = lane.waiting.dequeue()
      if (work === undefined) continue
      origin.underWay += 1
      lane.underWay += 1
      markReady(origin, lane)
      this.#begin(name, origin, lane, work)
    }
  }

  async #begin(name: string, origin: Origin, lane: Lane, work: Work): Promise<void> {
    let moveOn = () => {}
    await work(
      new Promise((resolve) => {
        moveOn = resolve
      }),
    )
    origin.underWay -= 1
    lane.underWay -= 1
    if (lane.underWay === 0 && lane.waiting.size === 0) origin.lanes.delete(lane.path)
    markReady(origin, lane)
    this.#beginNext(name, origin)
    if (origin.lanes.size === 0 && this.#origins.get(name) === origin) this.#origins.delete(name)
    moveOn()
  }
}

function newLane(path: string): Lane {
  return { path, underWay: 0, isReady: false, waiting: new Queue() }
}

function markReady({ ready }: Origin, lane: Lane): void {
  if (lane.isReady || lane.waiting.size === 0 || lane.underWay >= MOST_AT_ONCE.receiver) return
  lane.isReady = true
  ready.enqueue(lane)
}
