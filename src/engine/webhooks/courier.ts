import type { WebhookSettings } from '../../scenario/model/scenario.js'
import { KeyedQueue } from '../keyed-queue.js'
import type { Attempt, Delivery, DeliveryState } from './delivery.js'
import type { DeliveryLog } from './delivery-log.js'
import type { Receiver, Receivers } from './receivers.js'
import { retryAfterOf } from './retry-after.js'
import { GONE, judge } from './retry-policy.js'
import { type Errand, type Outcome, Sender, type SenderParts } from './sender.js'
import { type Seal, seal, tamper } from './tamper.js'
import type { Transport } from './transport.js'
import { flawOf, isDamaged, type WebhookFault } from './webhook-fault.js'

/** What a courier is built from. */
export interface CourierParts extends SenderParts {
  readonly receivers: Receivers
  readonly log: DeliveryLog
  readonly transport: Transport
  readonly settings: () => WebhookSettings
  /** Hears that an attempt has ended. */
  readonly onAttempt: (delivery: Delivery) => void
  /** Hears that nothing more will be sent of a delivery. */
  readonly onEnd: (delivery: Delivery) => void
}

/** What is to be delivered. */
export interface Parcel {
  readonly receiver: Receiver
  readonly body: Uint8Array<ArrayBuffer>
  readonly fault: WebhookFault
  /** Whether somebody wants it to be sent, even to a receiver that is switched off. */
  readonly isAskedFor?: boolean
  /** Hears when an attempt has ended. */
  readonly onAttempt?: () => void
  /** Hears when nothing more will be sent. */
  readonly onEnd?: () => void
  /** Lets the next delivery to an ordered receiver start. */
  readonly release?: (() => void) | undefined
}

/** Takes deliveries to their receivers, again and again until they are accepted or the schedule ends. */
export class Courier {
  readonly #parts: CourierParts
  readonly #sender: Sender
  /** Deliveries to ordered receivers, by URL. */
  readonly #ordered = new KeyedQueue({ perKey: 1 })

  constructor(parts: CourierParts) {
    this.#parts = parts
    this.#sender = new Sender(parts)
  }

  /** Begins with the first attempt, or gets in line where the receiver wants one event after the other. */
  send(delivery: Delivery, parcel: Parcel): void {
    const begin = (release?: () => void) =>
      this.#attempt(this.#turn(delivery, { nextAt: undefined }), { ...parcel, release })
    if (parcel.receiver.ordered) this.#ordered.add(delivery.url, begin)
    else begin()
  }

  /** Abandons all deliveries, those on the wire included. */
  clear(): void {
    this.#sender.clear()
    this.#ordered.clear()
  }

  #attempt(delivery: Delivery, parcel: Parcel): void {
    let errand: Errand
    const prepare = () => {
      if (this.#isOff(delivery, parcel)) {
        this.#end(this.#turn(delivery, { state: 'given_up' }), parcel)
        return undefined
      }
      errand = this.#errand(delivery, parcel)
      return errand
    }
    this.#sender.run(delivery.url, prepare, (outcome) => this.#judge(delivery, parcel, errand, outcome))
  }

  #judge(delivery: Delivery, parcel: Parcel, { headers, body }: Errand, outcome: Outcome): void {
    const { clock, schedule, events, settings } = this.#parts
    const number = delivery.attempts.length + 1
    const status = outcome.answer?.status
    const { retries, honorsRetryAfter } = settings()
    const atLeast = honorsRetryAfter ? retryAfterOf(outcome.answer?.headers, clock.now()) : 0
    const verdict = judge(status, number, parcel.receiver.retries ?? retries, atLeast)
    const retryAt = verdict.state === 'pending' ? clock.now() + verdict.wait : undefined
    const flaw = isDamaged(parcel.fault, number) ? flawOf(parcel.fault) : undefined
    const attempt: Attempt = { number, ...outcome, status, retryAt, sent: { headers, body }, flaw }
    const attempts = [...delivery.attempts, attempt]
    const next = this.#turn(delivery, { state: verdict.state, nextAt: retryAt, attempts })
    if (status === GONE) this.#switchOff(delivery.url)
    if (retryAt === undefined) this.#end(next, parcel)
    else schedule.at(retryAt, () => this.#attempt(this.#turn(next, { nextAt: undefined }), parcel))
    parcel.onAttempt?.()
    this.#parts.onAttempt(delivery)
    events.emit('delivery.attempted', next, attempt)
  }

  /** Who was switched off gets nothing more, unless somebody asks for it. */
  #isOff({ url }: Delivery, { isAskedFor = false }: Parcel): boolean {
    return !isAskedFor && this.#parts.receivers.whyOff(url) !== undefined
  }

  #end(delivery: Delivery, { onEnd, release }: Parcel): void {
    onEnd?.()
    this.#parts.onEnd(delivery)
    release?.()
  }

  #switchOff(url: string): void {
    const { receivers, events, clock } = this.#parts
    const off = receivers.switchOff(url, 'It answered 410 Gone.')
    if (off !== undefined) events.emit('receiver.switched_off', off, clock.now())
  }

  #errand({ url, attempts }: Delivery, { receiver, body, fault }: Parcel): Errand {
    const settings = this.#parts.settings()
    const keys: Seal = {
      secret: receiver.secret ?? settings.secret,
      previousSecret: receiver.previousSecret ?? settings.previousSecret,
      format: settings.signature,
    }
    const isDone = isDamaged(fault, attempts.length + 1)
    const sealed = isDone ? tamper(body, fault, keys) : seal(body, keys)
    return {
      url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'tasksim',
        ...(sealed.signature !== undefined && { [settings.signature.header]: sealed.signature }),
      },
      body: sealed.body,
      transport: receiver.transport ?? this.#parts.transport,
      timeout: receiver.timeout ?? settings.timeout,
    }
  }

  /** Writes down what has become of a delivery. */
  #turn(delivery: Delivery, change: Partial<Delivery>): Delivery {
    const before: DeliveryState = delivery.state
    const turned = { ...delivery, ...change }
    this.#parts.log.put(turned, before)
    return turned
  }
}
