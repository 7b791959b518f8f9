import { stopwatch } from '../clock/system-clock.js'

/** A client that sends the same request more often than this at one instant, without a wait, is in a loop. */
export const LONGEST_LOOP = 1_000

/** A client that needs longer for {@link LONGEST_LOOP} requests waits between them, in milliseconds of real time. */
export const LOOP_TIME = 60_000

/** Requests at one instant that differ are counted up to this number. */
const MAX_SERIES = 1_000

/** Counts equal requests while a manual clock stands still, to notice a client that repeats one without any wait. */
export class RequestLoops {
  /** Whether loops are ended: the simulator belongs to one test. */
  areEnded: boolean
  /** Why the connections of the last loop were closed, for the report of a test. */
  ended: string | undefined
  readonly #series = new Map<string, { since: number; count: number }>()
  #at = 0

  constructor(areEnded: boolean) {
    this.areEnded = areEnded
  }

  /** Counts a request. @returns how often it came at this instant of the clock, without a wait in real time */
  count(request: string, at: number): number {
    if (at !== this.#at || this.#series.size > MAX_SERIES) this.clear()
    this.#at = at
    const now = stopwatch()
    let series = this.#series.get(request)
    if (series === undefined || (series.count < LONGEST_LOOP && now - series.since > LOOP_TIME)) {
      series = { since: now, count: 0 }
      this.#series.set(request, series)
    }
    series.count += 1
    return series.count
  }

  /** Forgets all requests, because the next one may have another answer. */
  clear(): void {
    this.#series.clear()
  }
}
