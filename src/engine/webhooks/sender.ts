import type { Clock } from '../clock/clock.js'
import type { InFlight } from '../clock/in-flight.js'
import type { Schedule } from '../clock/schedule.js'
import { startTimer, stopwatch } from '../clock/system-clock.js'
import type { Events } from '../events.js'
import { KeyedQueue } from '../keyed-queue.js'
import { reasonOf } from '../reason.js'
import { type Answer, timeoutError } from './delivery.js'
import type { Post, Transport } from './transport.js'

/** What a sender is built from. */
export interface SenderParts {
  /** What time it is. */
  readonly clock: Clock
  /** What is due when. */
  readonly schedule: Schedule
  /** What an advance of the clock waits for. */
  readonly inFlight: InFlight
  /** Whom to tell what happens. */
  readonly events: Events
}

/** One POST that is to be made. */
export interface Errand extends Omit<Post, 'signal'> {
  readonly transport: Transport
  /** Milliseconds after which it has failed. */
  readonly timeout: number
}

/** How an errand went; times as in an attempt. */
export interface Outcome {
  readonly startedAt: number
  readonly took: number
  readonly answer: Answer | undefined
  /** Why there was no answer. */
  readonly error: string | undefined
}

/** How many POSTs may be open at a time: enough to keep a receiver busy, too few to overload it. */
export const MOST_OPEN = {
  /** To one receiver: to one path of an origin, whatever the query. */
  perReceiver: 32,
  /** To all receivers of one origin together. */
  perOrigin: 256,
} as const

/** Makes POSTs, a bounded number at a time to each receiver, and ends each after its time. */
export class Sender {
  readonly #parts: SenderParts
  /** By origin, with one key per path. */
  readonly #queues = new Map<string, KeyedQueue>()
  /** The errands on the wire; a reset puts another set in its place. */
  #onWire = new Set<AbortController>()

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /**
   * Runs an errand as soon as its receiver has a place.
   * @param prepare is asked when it begins; undefined calls it off
   * @param done hears how it went, before any advancing clock goes on; not where it was abandoned
   */
  run(url: string, prepare: () => Errand | undefined, done: (outcome: Outcome) => void): void {
    const { origin, pathname } = new URL(url)
    const queue = this.#queues.get(origin) ?? newQueue()
    this.#queues.set(origin, queue)
    queue.add(pathname, (release) => {
      const sent: Promise<void> = this.#send(prepare, done, () => sent).finally(() => {
        release()
        if (queue.isIdle && this.#queues.get(origin) === queue) this.#queues.delete(origin)
      })
      this.#parts.inFlight.track(sent)
    })
  }

  /** Abandons all errands, those on the wire included. */
  clear(): void {
    const abandoned = this.#onWire
    this.#onWire = new Set()
    for (const queue of this.#queues.values()) queue.clear()
    this.#queues.clear()
    for (const attempt of abandoned) attempt.abort(new Error('The simulator was reset'))
  }

  async #send(
    prepare: () => Errand | undefined,
    done: (outcome: Outcome) => void,
    sent: () => Promise<void>,
  ): Promise<void> {
    const onWire = this.#onWire
    const { clock, schedule, events } = this.#parts
    const prepared = prepare()
    if (prepared === undefined) return
    const { timeout, ...errand } = prepared
    const controller = new AbortController()
    onWire.add(controller)
    // A receiver does not answer faster because time does: where the clock is sped up, it has its real seconds.
    // And time must not go on before a timed-out attempt has put its retry on the schedule.
    const deadline = schedule.at(clock.now() + timeout * Math.max(1, clock.speed), () => {
      controller.abort(new Error(timeoutError(timeout)))
      return sent()
    })
    try {
      const outcome = await this.#post(errand, controller.signal)
      if (onWire === this.#onWire) done(outcome)
    } catch (error) {
      events.emit('error', error)
    }
    onWire.delete(controller)
    deadline.cancel()
  }

  async #post({ transport, ...post }: Omit<Errand, 'timeout'>, signal: AbortSignal): Promise<Outcome> {
    const startedAt = this.#parts.clock.now()
    const begin = stopwatch()
    try {
      const answer = await Promise.race([transport({ ...post, signal }), abortion(signal)])
      return { startedAt, took: stopwatch() - begin, answer, error: undefined }
    } catch (error) {
      return { startedAt, took: stopwatch() - begin, answer: undefined, error: reasonOf(error) }
    }
  }
}

function newQueue(): KeyedQueue {
  return new KeyedQueue({ perKey: MOST_OPEN.perReceiver, total: MOST_OPEN.perOrigin })
}

/** Real milliseconds in which a transport may still say what it has when its attempt is aborted. */
const LAST_WORDS = 10

/** Rejects when the signal is aborted, for a transport that takes no notice of it. */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => startTimer(LAST_WORDS, () => reject(signal.reason), true), {
      once: true,
    }),
  )
}
