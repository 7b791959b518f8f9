import { letContinue } from '../../awaitable.js'
import type { Clock } from '../../clock/clock.js'
import { clientNow, startTimer, stopwatch } from '../../clock/system-clock.js'
import { reasonOf } from '../../errors.js'
import type { OutputGate } from '../../output-gate.js'
import { mergedHeaders, settableHeaders } from '../../requests/headers.js'
import type { TraceContext, Tracing } from '../../tracing.js'
import type { Answer, Attempt } from '../deliveries/delivery.js'
import type { PendingDelivery } from '../deliveries/pending-deliveries.js'
import { affectsAttempt } from '../faults/webhook-fault.js'
import type { Receivers } from '../receivers/receivers.js'
import { signAttempt, signingKeys } from '../signing/sign-attempt.js'
import type { WebhookFormat } from '../webhook-format.js'
import type { Post, Transport } from './transport.js'

/** One POST, and its result: an answer, or the reason why there is none. */
export interface SentAttempt {
  readonly post: Post
  readonly result: Pick<Attempt, 'startedAt' | 'took' | 'answer' | 'error'>
}

const OWN_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'tasksim' }

/** Signs and sends single attempts of deliveries. */
export class AttemptSender {
  readonly #clock: Clock
  readonly #receivers: Receivers
  readonly #transport: Transport
  readonly #gate: OutputGate
  readonly #tracing: Tracing
  readonly #isAnswering: () => boolean

  /**
   * @param transport sends the webhooks of receivers that have no transport
   * @param gate where an attempt waits until its delivery is stored
   * @param isAnswering whether any request waits for its answer
   */
  constructor({
    clock,
    receivers,
    transport,
    gate,
    tracing,
    isAnswering,
  }: {
    clock: Clock
    receivers: Receivers
    transport: Transport
    gate: OutputGate
    tracing: Tracing
    isAnswering: () => boolean
  }) {
    this.#clock = clock
    this.#receivers = receivers
    this.#transport = transport
    this.#gate = gate
    this.#tracing = tracing
    this.#isAnswering = isAnswering
  }

  /**
   * Signs the next attempt of a delivery and sends it, once the changes are stored that it depends on.
   * @param signal ends the attempt, even if the transport ignores it
   * @returns undefined if they cannot be stored, so that nothing was sent
   */
  async send(
    pending: PendingDelivery,
    format: WebhookFormat,
    signal: AbortSignal,
  ): Promise<SentAttempt | undefined> {
    const { id, url, isOwn, taskId: task, payload, headers: own, attempts } = pending.delivery
    const { receiver, fault } = pending
    const message = { id, url, isOwn, task, body: payload, at: clientNow(this.#clock) }
    const keys = signingKeys(this.#receivers.latest(receiver), format, this.#clock.now())
    const damage = affectsAttempt(fault, attempts.length + 1) ? fault : undefined
    const { body, headers: signature } = await signAttempt(message, keys, damage)
    // Waits only if it must, so that attempts and answers have the same order with and without a ledger.
    const stored = this.#gate.pass()
    if (stored !== undefined && !(await stored)) return undefined
    const headers = settableHeaders(mergedHeaders(OWN_HEADERS, own, signature))
    const trace = this.#tracing.tracer?.beginAttempt(pending.delivery)
    const post = { url, headers: trace === undefined ? headers : traced(headers, trace), body, signal }
    const result = await this.#post(this.#receivers.transportOf(url) ?? this.#transport, post)
    // A receiver in this process may answer before the request that ended the task is answered.
    if (this.#isAnswering()) await letContinue()
    return { post, result }
  }

  /** Sends a POST and measures it. An error is a part of the result. */
  #post(transport: Transport, post: Post): Promise<SentAttempt['result']> {
    const startedAt = this.#clock.now()
    const begin = stopwatch()
    return new Promise((resolve) => {
      const end = (answer: Answer | undefined, error: string | undefined) =>
        resolve({ startedAt, took: stopwatch() - begin, answer, error })
      const fail = (error: unknown) => end(undefined, reasonOf(error))
      onAbort(post.signal, (reason) => startTimer(GRACE, () => fail(reason), true))
      try {
        Promise.resolve(transport(post)).then((answer) => end(answer, undefined), fail)
      } catch (error) {
        fail(error)
      }
    })
  }
}

/** Adds the headers that tell the receiver where a POST is in a trace. */
function traced(headers: Post['headers'], { traceparent, tracestate }: TraceContext): Post['headers'] {
  return mergedHeaders(headers, { traceparent, ...(tracestate !== undefined && { tracestate }) })
}

/** Real milliseconds in which a transport may still report its own error or a partial answer after an abort. */
const GRACE = 10

function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): void {
  if (signal.aborted) listener(signal.reason)
  else signal.addEventListener('abort', () => listener(signal.reason), { once: true })
}
