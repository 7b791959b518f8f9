import type { Job } from '../../clock/schedule.js'
import type { Time } from '../../clock/time.js'
import type { Events } from '../../events.js'
import type { AttemptSender, SentAttempt } from '../attempts/attempt-sender.js'
import { affectsAttempt, flawOf, type WebhookFault } from '../faults/webhook-fault.js'
import type { Receivers } from '../receivers/receivers.js'
import { isSigned, type WebhookFormat } from '../webhook-format.js'
import { timeoutError } from './delivery.js'
import type { PendingDeliveries, PendingDelivery, Wait } from './pending-deliveries.js'
import { AttemptSlots, ReceiverTurns } from './receiver-queues.js'
import { decideRetry, GONE, retryAfterOf } from './retry-policy.js'

/** How long an attempt waits that could not be stored, in milliseconds. */
const UNTIL_STORED = 1_000

/** Attempts deliveries until the receiver accepts them or their retries are used up. */
export class DeliveryRunner {
  readonly #time: Time
  readonly #events: Events
  readonly #receivers: Receivers
  readonly #pending: PendingDeliveries
  readonly #attempts: AttemptSender
  readonly #formatOf: (name: string) => WebhookFormat
  readonly #turns = new ReceiverTurns()
  readonly #slots = new AttemptSlots()
  /** Changes with each reset, so that an attempt from before the reset changes nothing. */
  #generation = 0

  /** @param formatOf returns how the service with a wire format writes, signs and retries webhooks */
  constructor({
    time,
    events,
    receivers,
    pending,
    attempts,
    formatOf,
  }: {
    time: Time
    events: Events
    receivers: Receivers
    pending: PendingDeliveries
    attempts: AttemptSender
    formatOf: (name: string) => WebhookFormat
  }) {
    this.#time = time
    this.#events = events
    this.#receivers = receivers
    this.#pending = pending
    this.#attempts = attempts
    this.#formatOf = formatOf
  }

  /** Starts a delivery; to an ordered receiver, as soon as the previous delivery has ended. */
  run(pending: PendingDelivery): void {
    if (!pending.receiver.ordered) this.#enqueue(pending)
    else this.#standInLine(pending, this.#pending.nextNumber())
    this.#duplicate(pending, 'at_once')
  }

  /** Continues a delivery of a simulator that was saved, which waited for its turn or for an attempt. */
  restore(pending: PendingDelivery, { for: what, number }: Extract<Wait, { number: number }>): void {
    if (what === 'turn') this.#standInLine(pending, number)
    else this.#turns.take(pending, () => this.#enqueue(pending, number))
  }

  /** Continues a delivery that waited for its next attempt. @param startJob adds the job that starts the attempt */
  restoreRetry(pending: PendingDelivery, startJob: (run: () => void) => Job): void {
    this.#turns.take(pending, () => this.#retry(pending, startJob))
  }

  /** Drops all deliveries and aborts the open attempts. */
  clear(): void {
    this.#generation += 1
    this.#turns.clear()
    this.#slots.clear()
    for (const { openAttempt } of this.#pending.all())
      openAttempt?.abort(new Error('The simulator was reset'))
  }

  #standInLine(pending: PendingDelivery, number: number): void {
    this.#pending.wait(pending, { for: 'turn', number })
    this.#turns.take(pending, () => this.#enqueue(pending))
  }

  /** Starts the next attempt as soon as there is a free slot for it. */
  #enqueue(pending: PendingDelivery, number = this.#pending.nextNumber()): void {
    if (pending.delivery.nextAt !== undefined) this.#pending.update(pending, { nextAt: undefined })
    this.#pending.wait(pending, { for: 'attempt', number })
    this.#slots.add(pending.delivery.url, (release) => this.#start(pending, release))
  }

  #retry(pending: PendingDelivery, startJob: (run: () => void) => Job): void {
    this.#pending.wait(pending, { for: 'retry', job: startJob(() => this.#enqueue(pending)) })
  }

  #start(pending: PendingDelivery, release: () => void): void {
    if (this.#isOff(pending)) {
      this.#giveUp(pending)
      release()
      return
    }
    const { clock, schedule, inFlight } = this.#time
    const timeout = pending.receiver.timeout ?? this.#formatOf(pending.delivery.format).timeout
    const abort = new AbortController()
    // On a faster clock, a receiver still has the timeout in real time. The deadline waits for the end of the attempt,
    // so that the clock does not move past the retry.
    const deadline = schedule.at(clock.now() + timeout * Math.max(1, clock.speed), () => {
      abort.abort(new Error(timeoutError(timeout)))
      return attempt
    })
    pending.openAttempt = abort
    const attempt: Promise<void> = this.#attempt(pending, abort.signal, () => {
      deadline.cancel()
      pending.openAttempt = undefined
      release()
    })
    inFlight.track(attempt)
  }

  /** Attempts a delivery once. @param onEnd called before the promise is settled */
  async #attempt(pending: PendingDelivery, signal: AbortSignal, onEnd: () => void): Promise<void> {
    const generation = this.#generation
    try {
      const sent = await this.#attempts.send(pending, this.#formatOf(pending.delivery.format), signal)
      if (generation !== this.#generation) return
      if (sent === undefined) this.#postpone(pending)
      else this.#record(pending, sent)
    } catch (error) {
      this.#events.emit('error', error)
      const isPending = this.#pending.get(pending.delivery.id) === pending
      if (generation === this.#generation && isPending) this.#giveUp(pending)
    } finally {
      onEnd()
    }
  }

  /** Tries again later, because the delivery is not stored. */
  #postpone(pending: PendingDelivery): void {
    const { clock, schedule } = this.#time
    this.#retry(pending, (run) => schedule.at(clock.now() + UNTIL_STORED, run))
  }

  /** Records an attempt, and schedules the next one or ends the delivery. */
  #record(pending: PendingDelivery, { post: { headers, body }, result }: SentAttempt): void {
    const { clock, schedule } = this.#time
    const { delivery, receiver, fault } = pending
    const format = this.#formatOf(delivery.format)
    const number = delivery.attempts.length + 1
    const status = result.answer?.status
    const minWait = format.honorsRetryAfter ? retryAfterOf(result.answer?.headers, clock.now()) : 0
    const retries = receiver.retries ?? format.retriesOf(delivery.taskEvent)
    const { stopsOn4xx, signsTime } = format
    const { state, wait } = decideRetry(status, number, retries, { minWait, stopsOn4xx })
    const retryAt = wait === undefined ? undefined : clock.now() + wait
    const signed = { isSigned: isSigned(format), signsTime }
    const flaw = affectsAttempt(fault, number) ? flawOf(fault, signed) : undefined
    const attempt = { number, ...result, status, retryAt, sent: { headers, body }, flaw }
    const attempts = [...delivery.attempts, attempt]
    this.#pending.update(pending, { state, nextAt: retryAt, attempts })
    this.#events.emit('delivery.attempted', pending.delivery, attempt)
    if (status === GONE) this.#switchOff(delivery.url)
    if (retryAt === undefined) this.#end(pending)
    else this.#retry(pending, (run) => schedule.at(retryAt, run))
  }

  /** Ends a delivery without a further attempt. */
  #giveUp(pending: PendingDelivery): void {
    this.#pending.update(pending, { state: 'given_up' })
    this.#end(pending)
  }

  #end(pending: PendingDelivery): void {
    const { delivery } = pending
    this.#pending.delete(pending)
    // Before the next delivery to an ordered receiver starts.
    this.#duplicate(pending, 'in_turn')
    this.#turns.end(delivery.id)
    this.#events.emit('delivery.ended', delivery)
  }

  /** Sends a delivery again if its fault requires that at this time. */
  #duplicate({ delivery, receiver, fault }: PendingDelivery, time: WebhookFault['duplicate']): void {
    if (fault.duplicate !== time || delivery.copyOf !== undefined) return
    const { id: copyOf, rule } = delivery
    this.run(this.#pending.open(delivery, receiver, { rule, fault, copyOf }))
  }

  /** A receiver that is switched off gets only requested deliveries. */
  #isOff({ receiver, isForced }: PendingDelivery): boolean {
    return !isForced && this.#receivers.whyOff(receiver) !== undefined
  }

  #switchOff(url: string): void {
    const off = this.#receivers.switchOff(url, 'It answered 410 Gone.')
    if (off !== undefined) this.#events.emit('receiver.switched_off', off, this.#time.clock.now())
  }
}
