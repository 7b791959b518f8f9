import { type Awaitable, after, isPromise } from '../../awaitable.js'
import { clientNow } from '../../clock/client-now.js'
import type { Clock } from '../../clock/clock.js'
import type { InFlight } from '../../clock/in-flight.js'
import { letContinue } from '../../clock/let-continue.js'
import type { Job, Schedule } from '../../clock/schedule.js'
import type { Events } from '../../events.js'
import { KeyedQueue } from '../../keyed-queue.js'
import type { OutputGate } from '../../output-gate.js'
import { settableHeaders } from '../../requests/settable-headers.js'
import type { Tracing } from '../../tracing.js'
import { AttemptAbort } from '../attempts/attempt-abort.js'
import { AbortablePost, type AttemptResult, attemptPost, tracedPost } from '../attempts/attempt-post.js'
import { AttemptSlots } from '../attempts/attempt-slots.js'
import { mergedHeaders } from '../attempts/merged-headers.js'
import type { Post, Transport } from '../attempts/transport.js'
import { affectsAttempt, flawOf } from '../faults/webhook-fault.js'
import type { Receivers } from '../receivers/receivers.js'
import { signAttempt } from '../signing/sign-attempt.js'
import { signingKeys } from '../signing/signing-keys.js'
import { isSigned, type WebhookFormat } from '../webhook-format.js'
import { type Delivery, type DeliveryState, timeoutError } from './delivery.js'
import type { DeliveryLog } from './delivery-log.js'
import type { PendingDeliveries, PendingDelivery, Wait } from './pending-delivery.js'
import { retryAfterOf } from './retry-after.js'

/** The parts that {@link DeliveryRunner} needs. */
export interface DeliveryRunnerParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The jobs on that clock. */
  readonly schedule: Schedule
  /** The attempts that an advance of the clock waits for. */
  readonly inFlight: InFlight
  /** Receives the events of deliveries. */
  readonly events: Events
  /** The receivers of the events of every task. */
  readonly receivers: Receivers
  readonly log: DeliveryLog
  readonly pending: PendingDeliveries
  /** Sends the webhooks of receivers that have no transport. */
  readonly transport: Transport
  /** Whether any request waits for its answer. */
  readonly isAnswering: () => boolean
  /** Where an attempt waits until its delivery is stored. */
  readonly gate: OutputGate
  /** Follows the attempts in traces. */
  readonly tracing: Tracing
  /** How the service with a wire format writes, signs and retries webhooks. */
  readonly formatOf: (name: string) => WebhookFormat
  /** Called when a delivery has ended, before the next one to an ordered receiver starts. */
  readonly onEnd: (pending: PendingDelivery) => void
}

/** How long an attempt waits that could not be stored, in milliseconds. */
const UNTIL_STORED = 1_000

/** Attempts deliveries until the receiver accepts them or their retries are used up. */
export class DeliveryRunner {
  readonly #parts: DeliveryRunnerParts
  readonly #turns = new ReceiverTurns()
  readonly #slots = new AttemptSlots()
  /** Changes with each reset, so that an attempt from before the reset changes nothing. */
  #generation = 0

  constructor(parts: DeliveryRunnerParts) {
    this.#parts = parts
  }

  /** Starts a delivery; to an ordered receiver, as soon as the previous delivery has ended. */
  run(pending: PendingDelivery): void {
    if (!pending.receiver.ordered) this.#enqueue(pending)
    else this.#standInLine(pending, this.#parts.pending.nextNumber())
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
    for (const { openAttempt } of this.#parts.pending.all())
      openAttempt?.abort(new Error('The simulator was reset'))
  }

  #standInLine(pending: PendingDelivery, number: number): void {
    this.#parts.pending.wait(pending, { for: 'turn', number })
    this.#turns.take(pending, () => this.#enqueue(pending))
  }

  /** Starts the next attempt as soon as there is a free slot for it. */
  #enqueue(pending: PendingDelivery, number = this.#parts.pending.nextNumber()): void {
    const { delivery } = pending
    if (delivery.nextAt !== undefined) this.#update(pending, { ...delivery, nextAt: undefined })
    this.#parts.pending.wait(pending, { for: 'attempt', number })
    this.#slots.add(pending.delivery.url, (release) => this.#start(pending, release))
  }

  #retry(pending: PendingDelivery, startJob: (run: () => void) => Job): void {
    this.#parts.pending.wait(pending, { for: 'retry', job: startJob(() => this.#enqueue(pending)) })
  }

  #start(pending: PendingDelivery, release: () => void): void {
    if (this.#isOff(pending)) {
      this.#giveUp(pending)
      release()
      return
    }
    const { clock, schedule, inFlight, formatOf } = this.#parts
    const timeout = pending.receiver.timeout ?? formatOf(pending.delivery.format).timeout
    const abort = new AttemptAbort()
    // On a faster clock, a receiver still has the timeout in real time. The deadline waits for the end of the attempt,
    // so that the clock does not move past the retry.
    const deadline = schedule.at(clock.now() + timeout * Math.max(1, clock.speed), () => {
      abort.abort(new Error(timeoutError(timeout)))
      return attempt
    })
    pending.openAttempt = abort
    const attempt: Promise<void> = this.#attempt(pending, abort, () => {
      deadline.cancel()
      pending.openAttempt = undefined
      release()
    })
    inFlight.track(attempt)
  }

  /** Attempts a delivery once. Never rejects. @param onEnd called before the promise is settled */
  async #attempt(pending: PendingDelivery, abort: AttemptAbort, onEnd: () => void): Promise<void> {
    const generation = this.#generation
    try {
      const signed = this.#sign(pending, abort)
      const unsent = isPromise(signed) ? await signed : signed
      const stored = this.#parts.gate.pass()
      if (stored !== undefined && !(await stored)) return this.#postpone(pending, generation)
      const post = tracedPost(unsent, this.#parts.tracing.tracer?.beginAttempt(pending.delivery))
      const transport = this.#parts.receivers.transportOf(post.url) ?? this.#parts.transport
      const result = await attemptPost(transport, post, abort, this.#parts.clock)
      // A receiver in this process may answer before the request that ended the task is answered.
      if (this.#parts.isAnswering()) await letContinue()
      if (generation === this.#generation) this.#record(pending, post, result)
    } catch (error) {
      this.#parts.events.emit('error', error)
      const isPending = this.#parts.pending.get(pending.delivery.id) === pending
      if (generation === this.#generation && isPending) this.#giveUp(pending)
    } finally {
      onEnd()
    }
  }

  /** Tries again later, because the delivery is not stored. */
  #postpone(pending: PendingDelivery, generation: number): void {
    const { clock, schedule } = this.#parts
    if (generation !== this.#generation) return
    this.#retry(pending, (run) => schedule.at(clock.now() + UNTIL_STORED, run))
  }

  #sign({ delivery, receiver, fault }: PendingDelivery, abort: AttemptAbort): Awaitable<Post> {
    const format = this.#parts.formatOf(delivery.format)
    const { id, url, isOwn, payload: body } = delivery
    const { clock, receivers } = this.#parts
    const message = { id, url, isOwn, body, at: clientNow(clock) }
    const keys = signingKeys(receivers.latest(receiver), format, clock.now())
    const damage = affectsAttempt(fault, delivery.attempts.length + 1) ? fault : undefined
    return after(signAttempt(message, keys, damage), ({ body, headers: signature }) => {
      const headers = settableHeaders(mergedHeaders(OWN_HEADERS, delivery.headers, signature))
      return new AbortablePost({ url, headers, body }, abort)
    })
  }

  /** Records an attempt, and schedules the next one or ends the delivery. */
  #record(pending: PendingDelivery, { headers, body }: Post, result: AttemptResult): void {
    const { clock, schedule, events, formatOf } = this.#parts
    const { delivery, receiver, fault } = pending
    const format = formatOf(delivery.format)
    const number = delivery.attempts.length + 1
    const status = result.answer?.status
    const minWait = format.honorsRetryAfter ? retryAfterOf(result.answer?.headers, clock.now()) : 0
    const retries = receiver.retries ?? format.retriesOf(delivery.taskEvent)
    const { state, wait } = decideRetry(status, number, retries, {
      minWait,
      stopsOn4xx: format.stopsOn4xx,
    })
    const retryAt = wait === undefined ? undefined : clock.now() + wait
    const signed = { isSigned: isSigned(format), signsTime: format.signsTime }
    const flaw = affectsAttempt(fault, number) ? flawOf(fault, signed) : undefined
    const attempt = { number, ...result, status, retryAt, sent: { headers, body }, flaw }
    const attempts = [...delivery.attempts, attempt]
    this.#update(pending, { ...delivery, state, nextAt: retryAt, attempts })
    if (status === GONE) this.#switchOff(delivery.url)
    if (retryAt === undefined) this.#end(pending)
    else this.#retry(pending, (run) => schedule.at(retryAt, run))
    events.emit('delivery.attempted', pending.delivery, attempt)
  }

  /** Ends a delivery without a further attempt. */
  #giveUp(pending: PendingDelivery): void {
    this.#update(pending, { ...pending.delivery, state: 'given_up' })
    this.#end(pending)
  }

  #end(pending: PendingDelivery): void {
    const { delivery } = pending
    this.#parts.pending.delete(pending)
    this.#parts.onEnd(pending)
    this.#turns.end(delivery.id)
    this.#parts.events.emit('delivery.ended', delivery)
  }

  /** A receiver that is switched off gets only requested deliveries. */
  #isOff({ receiver, isForced }: PendingDelivery): boolean {
    return !isForced && this.#parts.receivers.whyOff(receiver) !== undefined
  }

  #switchOff(url: string): void {
    const { receivers, events, clock } = this.#parts
    const off = receivers.switchOff(url, 'It answered 410 Gone.')
    if (off !== undefined) events.emit('receiver.switched_off', off, clock.now())
  }

  #update(pending: PendingDelivery, changed: Delivery): void {
    const { state } = pending.delivery
    pending.delivery = changed
    this.#parts.log.put(changed, state)
  }
}

const OWN_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'tasksim' }

/** The state of a delivery after an attempt; `wait` is the time until the next attempt, in milliseconds. */
export type RetryDecision =
  | { readonly state: Extract<DeliveryState, 'delivered' | 'given_up'>; readonly wait?: undefined }
  | { readonly state: Extract<DeliveryState, 'pending'>; readonly wait: number }

/** The status with which a receiver unsubscribes permanently. */
const GONE = 410

/**
 * Decides whether to attempt a delivery again. Any 2xx is a success; a redirect is a failure like any other.
 * @param status the status of the response, or undefined if there was none
 * @param attempts the number of attempts so far
 * @param retries the waits before each further attempt, in milliseconds
 * @param limits `minWait`: the shortest wait that the receiver asks for, in milliseconds; `stopsOn4xx`: whether a 4xx
 * ends the retries
 */
export function decideRetry(
  status: number | undefined,
  attempts: number,
  retries: readonly number[],
  { minWait = 0, stopsOn4xx = false }: { readonly minWait?: number; readonly stopsOn4xx?: boolean } = {},
): RetryDecision {
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  const isFinal = status === GONE || (stopsOn4xx && status !== undefined && status >= 400 && status < 500)
  const wait = isFinal ? undefined : retries[attempts - 1]
  return wait === undefined ? { state: 'given_up' } : { state: 'pending', wait: Math.max(wait, minWait) }
}

/** Lets only one delivery at a time go to each ordered receiver. */
class ReceiverTurns {
  /** By the URL of the receiver. */
  readonly #queue = new KeyedQueue({ perKey: 1 })
  /** Ends the turn of a delivery, by its id. */
  readonly #releases = new Map<string, () => void>()

  /** Begins a delivery: at once, or after the previous one if the receiver is ordered. */
  take({ delivery, receiver }: PendingDelivery, begin: () => void): void {
    if (!receiver.ordered) {
      begin()
      return
    }
    this.#queue.add(receiver.url, (release) => {
      this.#releases.set(delivery.id, release)
      begin()
    })
  }

  /** Ends the turn of a delivery, which begins the next one to the same receiver. */
  end(id: string): void {
    const release = this.#releases.get(id)
    this.#releases.delete(id)
    release?.()
  }

  /** Drops all deliveries. */
  clear(): void {
    this.#queue.clear()
    this.#releases.clear()
  }
}
