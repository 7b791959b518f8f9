import type { Clock } from '../../clock/clock.js'
import type { Job } from '../../clock/schedule.js'
import type { Events } from '../../events.js'
import type { WebhookFault } from '../faults/webhook-fault.js'
import type { Addressee } from '../receivers/receiver.js'
import type { Delivery, EventContent } from './delivery.js'
import type { DeliveryLog } from './delivery-log.js'

/** What a pending delivery waits for. Numbers increase in the order in which deliveries began to wait. */
export type Wait =
  /** The event that its fault requires, or a deadline. */
  | { readonly for: 'barrier'; readonly job: Job }
  /** The answer to the create request of its task. */
  | { readonly for: 'answer'; readonly job: Job }
  /** The end of the previous delivery to an ordered receiver. */
  | { readonly for: 'turn'; readonly number: number }
  /** A free slot at the receiver, or the end of an attempt. */
  | { readonly for: 'attempt'; readonly number: number }
  /** The instant of the next attempt. */
  | { readonly for: 'retry'; readonly job: Job }

/** A delivery that has not ended, with everything that its attempts need. */
export interface PendingDelivery {
  delivery: Delivery
  /** The receiver with its settings as they were when the delivery was created. */
  readonly receiver: Addressee
  readonly fault: WebhookFault
  /** Whether to send it even to a receiver that is switched off, because a person or a test requested it. */
  readonly isForced: boolean
  /** Undefined only while the delivery is being created. */
  wait: Wait | undefined
  /** Aborts its open attempt; undefined if none is open. */
  openAttempt: AbortController | undefined
}

/** What is particular about a new delivery. */
interface OpeningDetails extends Pick<Partial<PendingDelivery>, 'isForced'> {
  readonly fault?: WebhookFault | undefined
  readonly rule?: string | undefined
  readonly copyOf?: string | undefined
}

/** Describes a delivery that waits for nothing yet. */
export function newPendingDelivery(details: Omit<PendingDelivery, 'wait' | 'openAttempt'>): PendingDelivery {
  return { ...details, wait: undefined, openAttempt: undefined }
}

/** The deliveries that have not ended, and what each waits for. */
export class PendingDeliveries {
  /** All deliveries, including those that have ended. */
  readonly log: DeliveryLog
  readonly #clock: Clock
  readonly #events: Events
  readonly #byId = new Map<string, PendingDelivery>()
  #last = 0

  constructor({ clock, events, log }: { clock: Clock; events: Events; log: DeliveryLog }) {
    this.log = log
    this.#clock = clock
    this.#events = events
  }

  /** Opens a delivery, which waits for nothing yet. It has ended if its fault is that it is lost. */
  open(
    { taskId, format, event, taskEvent, payload, headers }: EventContent,
    receiver: Addressee,
    { rule, fault = {}, copyOf, isForced = false }: OpeningDetails = {},
  ): PendingDelivery {
    const { url, registration, isOwn } = receiver
    const delivery = this.log.open({
      taskId,
      format,
      event,
      taskEvent,
      url,
      registration: registration?.id,
      isOwn,
      state: fault.lost ? 'lost' : 'pending',
      createdAt: this.#clock.now(),
      payload,
      headers,
      rule,
      copyOf,
    })
    const pending = newPendingDelivery({ delivery, receiver, fault, isForced })
    if (delivery.state === 'pending') this.add(pending)
    this.#events.emit('delivery.opened', delivery)
    return pending
  }

  /** Adds a delivery, which waits for nothing yet. */
  add(pending: PendingDelivery): void {
    this.#byId.set(pending.delivery.id, pending)
  }

  /** Changes a delivery. */
  update(pending: PendingDelivery, changes: Partial<Delivery>): void {
    const { state } = pending.delivery
    pending.delivery = { ...pending.delivery, ...changes }
    this.log.put(pending.delivery, state)
  }

  /** The pending delivery with this id; undefined if there is none. */
  get(id: string): PendingDelivery | undefined {
    return this.#byId.get(id)
  }

  /** All pending deliveries. */
  all(): Iterable<PendingDelivery> {
    return this.#byId.values()
  }

  /** Records what a delivery waits for now. */
  wait(pending: PendingDelivery, wait: Wait): void {
    pending.wait = wait
    if ('number' in wait) this.#last = Math.max(this.#last, wait.number)
    this.#events.emit('delivery.waits', pending.delivery)
  }

  /** The number of the next delivery that begins to wait. */
  nextNumber(): number {
    return this.#last + 1
  }

  /** Removes a delivery that has ended. */
  delete({ delivery }: PendingDelivery): void {
    this.#byId.delete(delivery.id)
  }

  /** Forgets all deliveries, also those in the log. */
  clear(): void {
    this.#byId.clear()
    this.log.clear()
  }
}
