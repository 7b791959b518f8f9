import type { Job } from '../../clock/schedule.js'
import type { Time } from '../../clock/time.js'
import type { AppliedWebhookFault } from '../faults/webhook-fault-rules.js'
import type { Delivery } from './delivery.js'
import type { PendingDeliveries, PendingDelivery } from './pending-deliveries.js'

/** A delivery waits at most this long for an event, in milliseconds. */
const LONGEST_WAIT = 60_000
const NONE: readonly never[] = []

/** What delays need. */
interface DelayOptions {
  readonly time: Pick<Time, 'clock' | 'schedule'>
  readonly pending: PendingDeliveries
  /** Sends a delivery after its delay. */
  readonly send: (pending: PendingDelivery) => void
}

/** Delays deliveries as their faults require: for a time, or until an event. */
export class FaultDelays {
  readonly #time: DelayOptions['time']
  readonly #pending: PendingDeliveries
  readonly #send: DelayOptions['send']
  /** The deliveries that wait for an event, by its name. */
  readonly #waiting = new Map<string, PendingDelivery[]>()

  constructor({ time, pending, send }: DelayOptions) {
    this.#time = time
    this.#pending = pending
    this.#send = send
  }

  /**
   * Delays a delivery if its fault requires it, and then sends it.
   * @returns the latest time at which it is sent, in epoch milliseconds; undefined if the fault requires no delay, so
   * that the caller sends the delivery
   */
  delay(pending: PendingDelivery, duration: AppliedWebhookFault['delay']): number | undefined {
    const wait = duration ?? (awaitedBy(pending) === undefined ? undefined : LONGEST_WAIT)
    if (wait === undefined) return undefined
    const at = this.#time.clock.now() + wait
    this.#sendAt(pending, at)
    this.#listen(pending)
    return at
  }

  /** Continues to delay a delivery of a simulator that was saved. @param startJob adds the job that sends it */
  restore(pending: PendingDelivery, startJob: (run: () => void) => Job): void {
    const job = startJob(() => this.#pass(pending))
    this.#pending.wait(pending, { for: 'barrier', job })
    // A delivery that is due has been released.
    if (job.at > this.#time.clock.now()) this.#listen(pending)
  }

  /** Releases the deliveries that wait until a poll shows the final state of a task. */
  releaseAfterPoll(taskId: string): void {
    if (this.#waiting.size === 0) return
    this.#release(afterPoll(taskId), () => true)
  }

  /** Releases the earlier deliveries to the same receiver that wait for an attempt of a later delivery. */
  releaseAfterAttempt(later: Delivery): void {
    this.#release(afterAttempt(later.url), ({ delivery }) => delivery.id < later.id)
  }

  /** Drops all waiting deliveries. */
  clear(): void {
    this.#waiting.clear()
  }

  #listen(pending: PendingDelivery): void {
    const event = awaitedBy(pending)
    if (event === undefined) return
    const waiting = this.#waiting.get(event) ?? []
    waiting.push(pending)
    this.#waiting.set(event, waiting)
  }

  /** Released deliveries become due now. */
  #release(event: string, isReleased: (pending: PendingDelivery) => boolean): void {
    const released = this.#remove(event, isReleased)
    for (const pending of released) {
      if (pending.wait?.for === 'barrier') pending.wait.job.cancel()
      this.#sendAt(pending, this.#time.clock.now())
    }
  }

  /** Removes deliveries from those that wait for an event. */
  #remove(event: string, isRemoved: (pending: PendingDelivery) => boolean): readonly PendingDelivery[] {
    const waiting = this.#waiting.get(event)
    if (waiting === undefined) return NONE
    const rest = waiting.filter((each) => !isRemoved(each))
    if (rest.length > 0) this.#waiting.set(event, rest)
    else this.#waiting.delete(event)
    return waiting.filter(isRemoved)
  }

  #sendAt(pending: PendingDelivery, at: number): void {
    const job = this.#time.schedule.at(at, () => this.#pass(pending))
    this.#pending.wait(pending, { for: 'barrier', job })
  }

  #pass(pending: PendingDelivery): void {
    const event = awaitedBy(pending)
    if (event !== undefined) this.#remove(event, (each) => each === pending)
    this.#send(pending)
  }
}

/** The name of the event for which a delivery waits; undefined if it waits for none. */
function awaitedBy({ delivery, fault }: PendingDelivery): string | undefined {
  switch (fault.timing) {
    case 'after_poll':
      return afterPoll(delivery.taskId)
    case 'out_of_order':
      return afterAttempt(delivery.url)
    default:
      return undefined
  }
}

const afterPoll = (taskId: string) => `poll ${taskId}`
const afterAttempt = (url: string) => `attempt ${url}`

/** The deliveries of a new task, and the job that sends them. */
interface Waiting {
  readonly job: Job
  readonly deliveries: PendingDelivery[]
}

/**
 * Keeps the webhooks of a task in their order. Those of a new task wait until its create request has been answered, and
 * later ones wait behind them. It holds nothing for tasks without such webhooks.
 */
export class SendSequence {
  readonly #time: DelayOptions['time']
  readonly #pending: PendingDeliveries
  readonly #send: DelayOptions['send']
  /** By the id of the task. */
  readonly #waiting = new Map<string, Waiting>()

  constructor({ time, pending, send }: DelayOptions) {
    this.#time = time
    this.#pending = pending
    this.#send = send
  }

  /** Sends a webhook of a new task as soon as other work gets its turn, such as the answer to the create request. */
  defer(pending: PendingDelivery): void {
    const { clock, schedule } = this.#time
    this.#add(pending, (flush) => schedule.at(clock.now(), flush))
  }

  /** Sends a webhook now, or behind those of its task that wait. */
  send(pending: PendingDelivery): void {
    if (this.#waiting.has(pending.delivery.taskId)) this.defer(pending)
    else this.#send(pending)
  }

  /** Continues to delay a delivery of a simulator that was saved. @param startJob adds the job that sends it */
  restore(pending: PendingDelivery, startJob: (run: () => void) => Job): void {
    this.#add(pending, startJob)
  }

  /** Sends the webhooks of a task that wait. */
  flush(taskId: string): void {
    const waiting = this.#waiting.get(taskId)
    if (waiting === undefined) return
    this.#waiting.delete(taskId)
    waiting.job.cancel()
    for (const pending of waiting.deliveries) this.#send(pending)
  }

  /** Drops all webhooks that wait. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#waiting.clear()
  }

  #add(pending: PendingDelivery, startJob: (flush: () => void) => Job): void {
    const { taskId } = pending.delivery
    const waiting = this.#waiting.get(taskId) ?? { job: startJob(() => this.flush(taskId)), deliveries: [] }
    this.#waiting.set(taskId, waiting)
    waiting.deliveries.push(pending)
    this.#pending.wait(pending, { for: 'answer', job: waiting.job })
  }
}
