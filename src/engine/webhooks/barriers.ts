import type { Clock } from '../clock/clock.js'
import type { Job, Schedule } from '../clock/schedule.js'
import type { Delivery } from './delivery.js'
import type { AppliedWebhookFault } from './webhook-fault-rules.js'

/** A delivery waits at most this long at a barrier, in milliseconds. */
const LONGEST_WAIT = 60_000

interface Waiting {
  /** The delivery that waits. */
  readonly id: string
  readonly run: () => void
  readonly deadline: Job
}

/** Delays deliveries as their faults require: for a time, or until an event. */
export class Barriers {
  readonly #clock: Clock
  readonly #schedule: Schedule
  /** By the name of the barrier. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock
    this.#schedule = schedule
  }

  /**
   * Delays a delivery if its fault requires it, and then calls `send`.
   * @returns the latest time of the call to `send`, in epoch milliseconds; undefined if the fault requires no delay, so
   * that the caller sends the delivery
   */
  hold(delivery: Delivery, applied: AppliedWebhookFault | undefined, send: () => void): number | undefined {
    if (applied?.delay !== undefined) return this.#schedule.at(this.#clock.now() + applied.delay, send).at
    switch (applied?.fault.timing) {
      case 'after_poll':
        return this.#wait(afterPoll(delivery.taskId), delivery.id, send)
      case 'out_of_order':
        return this.#wait(afterAttempt(delivery.url), delivery.id, send)
      default:
        return undefined
    }
  }

  /** Releases the deliveries that wait until a poll shows the final state of a task. */
  openAfterPoll(taskId: string): void {
    this.#release(afterPoll(taskId), () => true)
  }

  /** Releases the earlier deliveries to the same receiver that wait for an attempt of a later delivery. */
  openAfterAttempt(later: Delivery): void {
    this.#release(afterAttempt(later.url), ({ id }) => id < later.id)
  }

  /** Drops all waiting deliveries. */
  clear(): void {
    this.#waiting.clear()
  }

  #wait(barrier: string, id: string, run: () => void): number {
    const at = this.#clock.now() + LONGEST_WAIT
    const deadline = this.#schedule.at(at, () => this.#release(barrier, (waiting) => waiting.id === id))
    const waiting = this.#waiting.get(barrier) ?? []
    waiting.push({ id, run, deadline })
    this.#waiting.set(barrier, waiting)
    return at
  }

  /** Released deliveries become due now. */
  #release(barrier: string, isReleased: (waiting: Waiting) => boolean): void {
    const waiting = this.#waiting.get(barrier)
    if (waiting === undefined) return
    const rest = waiting.filter((each) => !isReleased(each))
    if (rest.length > 0) this.#waiting.set(barrier, rest)
    else this.#waiting.delete(barrier)
    for (const { deadline, run } of waiting.filter(isReleased)) {
      deadline.cancel()
      this.#schedule.at(this.#clock.now(), run)
    }
  }
}

const afterPoll = (taskId: string) => `poll ${taskId}`
const afterAttempt = (url: string) => `attempt ${url}`
