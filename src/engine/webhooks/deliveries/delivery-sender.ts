import type { Job, SavedJob } from '../../clock/schedule.js'
import type { Time } from '../../clock/time.js'
import type { Events } from '../../events.js'
import type { WebhookFault } from '../faults/webhook-fault.js'
import type { AppliedWebhookFault } from '../faults/webhook-fault-rules.js'
import type { Addressee } from '../receivers/receiver.js'
import { FaultDelays, SendSequence } from './delays.js'
import type { Delivery, EventContent } from './delivery.js'
import type { DeliveryRunner } from './delivery-runner.js'
import type { PendingDeliveries, PendingDelivery, Wait } from './pending-deliveries.js'

/** A delivery that a person or a test requested. */
export interface RequestedDelivery {
  /** The id of the delivery, such as `dlv_00000001`. */
  readonly id: string
  /** Resolves after the first attempt. */
  readonly attempted: Promise<void>
}

/** What is particular about a requested delivery. */
interface RequestDetails {
  /** The id of the delivery that it repeats. */
  readonly copyOf?: string
  /** What is wrong with it. */
  readonly fault?: WebhookFault | undefined
}

/** What a delivery waited for when it was saved. */
export type SavedWait =
  | Extract<Wait, { readonly number: number }>
  | { readonly for: Extract<Wait, { readonly job: Job }>['for']; readonly job: SavedJob }

/** Opens deliveries, delays them as their faults and their order require, and passes them to the runner. */
export class DeliverySender {
  /** What the pending deliveries wait for. */
  readonly pending: PendingDeliveries
  /** The webhooks that are sent before the response to a create request. */
  readonly early: EarlyDeliveries
  readonly #time: Time
  readonly #runner: DeliveryRunner
  readonly #delays: FaultDelays
  readonly #order: SendSequence
  readonly #attempts: FirstAttempts

  constructor({
    time,
    events,
    pending,
    runner,
  }: {
    time: Time
    events: Events
    pending: PendingDeliveries
    runner: DeliveryRunner
  }) {
    this.pending = pending
    this.#time = time
    this.#runner = runner
    const send = (each: PendingDelivery) => runner.run(each)
    this.#delays = new FaultDelays({ time, pending, send })
    this.#order = new SendSequence({ time, pending, send })
    this.#attempts = new FirstAttempts(events)
    this.early = new EarlyDeliveries(this.#attempts)
    events.on('delivery.attempted', (delivery) => this.#delays.releaseAfterAttempt(delivery))
  }

  /** Sends a delivery at once. */
  request(content: EventContent, receiver: Addressee, details: RequestDetails = {}): RequestedDelivery {
    const pending = this.pending.open(content, receiver, { ...details, isForced: true })
    const { id } = pending.delivery
    const attempted = this.#attempts.of(id)
    this.#runner.run(pending)
    return { id, attempted }
  }

  /**
   * Sends a delivery as its fault requires, and behind those of its task that wait.
   * @param isNew whether the create request of the task has not been answered yet
   */
  send(
    content: EventContent,
    receiver: Addressee,
    { applied, isNew }: { readonly applied: AppliedWebhookFault | undefined; readonly isNew: boolean },
  ): void {
    const pending = this.pending.open(content, receiver, applied)
    const { delivery, fault } = pending
    if (fault.lost) return
    const isEarly = fault.timing === 'before_response'
    if (isEarly) this.early.expectAttempt(delivery)
    const nextAt = this.#delays.delay(pending, applied?.delay)
    if (nextAt === undefined) {
      // The create request waits for a webhook that is sent before its answer.
      if (isEarly) this.#order.flush(content.taskId)
      if (isNew) this.#order.defer(pending)
      else this.#order.send(pending)
      return
    }
    this.pending.update(pending, { nextAt })
  }

  /** Sends the webhooks that wait until a poll shows the final state of a task. */
  releasePolled(taskId: string): void {
    this.#delays.releaseAfterPoll(taskId)
  }

  /**
   * Continues a delivery of a simulator that was saved. Call it first for those that do not wait for a turn; and among
   * those that wait for the same, in the order in which they began to.
   */
  restore(pending: PendingDelivery, wait: SavedWait): void {
    const { schedule } = this.#time
    this.pending.add(pending)
    if ('number' in wait) {
      this.#runner.restore(pending, wait)
      return
    }
    const startJob = (run: () => void) => schedule.restore(wait.job, run)
    if (wait.for === 'retry') this.#runner.restoreRetry(pending, startJob)
    else (wait.for === 'barrier' ? this.#delays : this.#order).restore(pending, startJob)
  }

  /** Drops all deliveries, including those that are being sent. */
  clear(): void {
    this.#order.clear()
    this.#runner.clear()
    this.#delays.clear()
    this.early.clear()
    this.#attempts.clear()
    this.pending.clear()
  }
}

interface Early {
  /** By the receiver's URL. */
  readonly faults: ReadonlyMap<string, AppliedWebhookFault>
  readonly attempts: Promise<void>[]
}

/** The webhooks that are sent before the response to the create request of their task. */
class EarlyDeliveries {
  readonly #attempts: FirstAttempts
  /** By the id of the task. */
  readonly #tasks = new Map<string, Early>()

  constructor(attempts: FirstAttempts) {
    this.#attempts = attempts
  }

  /** @param faults the faults that send a webhook early, by the receiver's URL */
  plan(taskId: string, faults: ReadonlyMap<string, AppliedWebhookFault>): void {
    this.#tasks.set(taskId, { faults, attempts: [] })
  }

  /** The planned fault of a task's delivery; undefined if it is not sent early. */
  faultOf(taskId: string, url: string): AppliedWebhookFault | undefined {
    return this.#tasks.get(taskId)?.faults.get(url)
  }

  /** Delays the response until the first attempt of a delivery has ended. */
  expectAttempt({ id, taskId }: Delivery): void {
    this.#tasks.get(taskId)?.attempts.push(this.#attempts.of(id))
  }

  /** Resolves after all first attempts of a task, and forgets its plan. */
  async attempted(taskId: string): Promise<void> {
    const early = this.#tasks.get(taskId)
    this.#tasks.delete(taskId)
    await Promise.all(early?.attempts ?? [])
  }

  /** Forgets all plans. */
  clear(): void {
    this.#tasks.clear()
  }
}

/** The first attempts of deliveries that a request waits for. */
class FirstAttempts {
  /** By the id of the delivery. */
  readonly #waiting = new Map<string, () => void>()

  constructor(events: Events) {
    const settle = ({ id }: { readonly id: string }) => {
      this.#waiting.get(id)?.()
      this.#waiting.delete(id)
    }
    events.on('delivery.attempted', settle)
    events.on('delivery.ended', settle)
  }

  /** Resolves after the first attempt of a delivery that is about to be sent, or after its end without any. */
  of(id: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
    })
  }

  /** Forgets all waits, which then never end. */
  clear(): void {
    this.#waiting.clear()
  }
}
