import type { Events } from '../events.js'
import type { WebhookSettings } from '../scenario/scenario.js'
import type { JsonObject, Task } from '../task/task.js'
import type { Clock } from '../time/clock.js'
import type { InFlight } from '../time/in-flight.js'
import { stopwatch } from '../time/system-clock.js'
import type { Timeline } from '../time/timeline.js'
import type { Delivery } from './delivery.js'
import { eventOf, webhookBody } from './event.js'
import { Lanes } from './lanes.js'
import { judge } from './retry-policy.js'
import { signPayload } from './signature.js'
import type { Transport } from './transport.js'

/** Someone who gets webhooks. */
export interface Receiver {
  readonly url: string
  /** How to reach it, where that is not the ordinary way. */
  readonly transport?: Transport
}

/** What the dispatcher is built from. */
export interface DispatcherParts {
  readonly clock: Clock
  readonly timeline: Timeline
  readonly inFlight: InFlight
  readonly events: Events
  readonly transport: Transport
  /** The output of a task as a webhook shows it. */
  readonly outputOf: (task: Task) => JsonObject | undefined
}

interface Parcel extends Delivery {
  readonly body: Uint8Array<ArrayBuffer>
  readonly transport: Transport
}

/** Sends each task's end to its receivers, again and again until they accept it or the schedule ends. */
export class Dispatcher {
  readonly #parts: DispatcherParts
  #settings: WebhookSettings
  #receivers: readonly Receiver[]
  /** One lane for each origin, so that a slow receiver holds up nobody else. */
  readonly #lanes = new Lanes()
  /** The attempts on the wire; a reset puts another set in its place. */
  #onWire = new Set<AbortController>()

  constructor(parts: DispatcherParts, settings: WebhookSettings, receivers: readonly Receiver[]) {
    this.#parts = parts
    this.#settings = settings
    this.#receivers = receivers
  }

  /** Takes other settings and receivers for what is sent from now on. */
  configure(settings: WebhookSettings, receivers: readonly Receiver[]): void {
    this.#settings = settings
    this.#receivers = receivers
  }

  /** Sends the event of a task that has ended to its own receiver and to the registered ones. */
  announce(task: Task): void {
    const event = eventOf(task, this.#settings.canceledEvent)
    if (event === undefined) return
    const receivers = this.#receiversOf(task)
    if (receivers.length === 0) return
    const body = webhookBody(event, task, this.#parts.outputOf(task))
    for (const { url, transport = this.#parts.transport } of receivers) {
      this.#attempt({ taskId: task.id, event, url, state: 'pending', attempts: 0, body, transport })
    }
  }

  /** Abandons all deliveries, those on the wire included. */
  clear(): void {
    const abandoned = this.#onWire
    this.#onWire = new Set()
    this.#lanes.clear()
    for (const attempt of abandoned) attempt.abort(new Error('The simulator was reset'))
  }

  /** A task's own receiver is not sent the same event again because it is registered as well. */
  #receiversOf({ webhookUrl }: Task): readonly Receiver[] {
    if (webhookUrl === undefined || this.#receivers.some(({ url }) => url === webhookUrl))
      return this.#receivers
    return [{ url: webhookUrl }, ...this.#receivers]
  }

  #attempt(parcel: Parcel): void {
    this.#lanes.run(new URL(parcel.url).origin, (movedOn) => this.#send(parcel, movedOn))
  }

  async #send(parcel: Parcel, movedOn: Promise<void>): Promise<void> {
    const onWire = this.#onWire
    const { clock, timeline, inFlight, events } = this.#parts
    const { timeout } = this.#settings
    inFlight.track(movedOn)
    const attempt = new AbortController()
    onWire.add(attempt)
    // A receiver does not answer faster because time does: where the clock is sped up, it has its real seconds.
    // And time must not go on before a timed-out attempt has put its retry on the timeline.
    const deadline = timeline.at(clock.now() + timeout * Math.max(1, clock.speed), () => {
      attempt.abort(new Error(`no answer within ${timeout / 1_000} s`))
      return movedOn
    })
    try {
      await this.#try(parcel, attempt.signal, () => onWire !== this.#onWire)
    } catch (error) {
      events.emit('error', error)
    }
    onWire.delete(attempt)
    deadline.cancel()
  }

  async #try(parcel: Parcel, signal: AbortSignal, isAbandoned: () => boolean): Promise<void> {
    const { clock, timeline, events } = this.#parts
    const number = parcel.attempts + 1
    const startedAt = clock.now()
    const begin = stopwatch()
    const { status, error } = await this.#post(parcel, signal)
    if (isAbandoned()) return
    const verdict = judge(status, number, this.#settings.retries)
    const retryAt = verdict.state === 'pending' ? clock.now() + verdict.wait : undefined
    const next: Parcel = { ...parcel, attempts: number, state: verdict.state }
    if (retryAt !== undefined) timeline.at(retryAt, () => this.#attempt(next))
    const { body: _body, transport: _transport, ...delivery } = next
    events.emit('delivery.attempted', delivery, {
      number,
      startedAt,
      took: stopwatch() - begin,
      status,
      error,
      retryAt,
    })
  }

  async #post(
    { url, body, transport }: Parcel,
    signal: AbortSignal,
  ): Promise<{ status?: number; error?: string }> {
    try {
      const answer = transport({ url, headers: this.#headers(body), body, signal })
      return { status: await Promise.race([answer, abortion(signal)]) }
    } catch (error) {
      return { error: reasonOf(error) }
    }
  }

  #headers(body: Uint8Array<ArrayBuffer>): Record<string, string> {
    const { secret, signature } = this.#settings
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'tasksim',
      [signature.header]: signPayload(body, secret, signature),
    }
  }
}

/** Rejects when the signal is aborted, for a transport that takes no notice of it. */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
}

/** What a person understands: fetch hides why it failed in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message === '' ? ((cause as { code?: string }).code ?? error.message) : cause.message
}
