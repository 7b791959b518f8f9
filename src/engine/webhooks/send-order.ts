import type { Clock } from '../clock/clock.js'
import type { Schedule } from '../clock/schedule.js'

type Send = () => void

/**
 * Keeps the webhooks of a task in their order. Those of a new task wait until its create request has been answered, and
 * later ones wait behind them. It holds nothing for tasks without such webhooks.
 */
export class SendOrder {
  readonly #clock: Clock
  readonly #schedule: Schedule
  /** By the id of the task. */
  readonly #waiting = new Map<string, Send[]>()

  constructor(clock: Clock, schedule: Schedule) {
    this.#clock = clock
    this.#schedule = schedule
  }

  /** Sends a webhook of a new task as soon as other work gets its turn, such as the answer to the create request. */
  defer(taskId: string, send: Send): void {
    const waiting = this.#waiting.get(taskId)
    if (waiting !== undefined) {
      waiting.push(send)
      return
    }
    this.#waiting.set(taskId, [send])
    this.#schedule.at(this.#clock.now(), () => this.flush(taskId))
  }

  /** Sends a webhook now, or behind those of its task that wait. */
  send(taskId: string, send: Send): void {
    const waiting = this.#waiting.get(taskId)
    if (waiting === undefined) send()
    else waiting.push(send)
  }

  /** Sends the webhooks of a task that wait. */
  flush(taskId: string): void {
    const waiting = this.#waiting.get(taskId) ?? []
    this.#waiting.delete(taskId)
    for (const send of waiting) send()
  }

  /** Drops all webhooks that wait. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#waiting.clear()
  }
}
