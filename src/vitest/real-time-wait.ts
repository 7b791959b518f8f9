import { type RunnerTestCase, vi } from 'vitest'
import { writeDuration } from '../engine/clock/durations.js'
import { isoTime } from '../engine/clock/instants.js'
import type { AnsweredRequest } from '../engine/requests/answered-request.js'
import type { Simulator } from '../library/build-simulator.js'
import { replaceMessage, timeoutOf } from './explain-errors.js'
import { realInterval } from './timers/global-time.js'

type Upcoming = Awaited<ReturnType<Simulator['control']['clock']['upcoming']>>
type UpcomingEvent = NonNullable<Upcoming['event']>

/** How often to look at the clock, in milliseconds of real time. */
const LOOK_EVERY = 100

/** A clock that stands this long makes a test wait, in milliseconds of real time. */
const STANDSTILL = 1_000

/** A client that sends so many requests at one instant polls. */
const POLLS = 3

/** Notices if a test waits in real time for something on a manual clock, which nobody advances. */
export class RealTimeWait {
  readonly #sim: Simulator
  readonly #hasRealTimers: boolean
  readonly #stop: () => void
  /** What the clock shows, in epoch milliseconds. */
  #shown: number
  /** Since when it shows that, in milliseconds of real time. */
  #since = performance.now()
  /** The number of requests since then. */
  #requests = 0
  /** The requests that a fault has left without an answer. */
  readonly #unanswered: AnsweredRequest[] = []
  #hasFakeTimers = vi.isFakeTimers()

  /** @param hasRealTimers whether the test asked for real timers */
  constructor(sim: Simulator, hasRealTimers: boolean) {
    this.#sim = sim
    this.#hasRealTimers = hasRealTimers
    this.#shown = sim.clock.now()
    const timer = realInterval(() => this.#look(), LOOK_EVERY).unref()
    const stopListening = sim.on('request.answered', (request) => {
      this.#look()
      this.#requests += 1
      if (request.note.unanswered !== undefined) this.#unanswered.push(request)
    })
    this.#stop = () => {
      timer.close()
      stopListening()
    }
  }

  #look(): void {
    this.#hasFakeTimers ||= vi.isFakeTimers()
    const now = this.#sim.clock.now()
    if (now === this.#shown) return
    this.#shown = now
    this.#since = performance.now()
    this.#requests = 0
  }

  /**
   * Stops looking. A test that has failed because of such a wait fails with a sentence that says so: instead of Vitest's
   * about the time limit, or after the error of the client.
   * @throws an error with this sentence if the test has failed with an error of the client
   */
  async end({ result }: RunnerTestCase): Promise<void> {
    this.#look()
    this.#stop()
    if (result?.state !== 'fail' || this.#sim.clock.mode !== 'manual') return
    const timeout = timeoutOf(result)
    const limit = timeout?.limit ?? Number.NaN
    if (!this.#isStanding(limit)) return
    const open = this.#unanswered.find(({ note }) => note.unanswered?.closed === undefined)
    if (timeout !== undefined && open !== undefined) {
      replaceMessage(timeout.error, describeOpen(open, limit))
      return
    }
    const awaited = awaitedOf(await this.#sim.control.clock.upcoming())
    if (awaited === undefined) return
    const message = this.#message(awaited, limit)
    if (timeout === undefined) throw new Error(message)
    replaceMessage(timeout.error, message)
  }

  /** @param limit the time limit that the test has reached, in milliseconds; NaN if it has not */
  #isStanding(limit: number): boolean {
    const stood = performance.now() - this.#since
    return limit > 0
      ? stood >= Math.min(STANDSTILL, limit / 2)
      : stood >= STANDSTILL && this.#requests >= POLLS
  }

  #message({ what, at, task_id: task }: UpcomingEvent, limit: number): string {
    const event = what === 'webhook' ? 'the webhook' : what === 'task_start' ? 'the start' : 'the end'
    const rest = writeDuration(Math.max(1, Date.parse(at) - this.#shown))
    const until = limit > 0 ? ` until Vitest's limit of ${limit} ms` : ''
    return (
      `The test waits in real time${until} for ${event} of ${task}, which is due at ${at} on the simulator's clock. ` +
      `The clock shows ${isoTime(this.#shown)} until somebody advances it. ${this.#advice(rest)}`
    )
  }

  #advice(rest: string): string {
    const advance = `advance the clock: \`await sim.clock.advance('${rest}')\``
    if (this.#hasFakeTimers)
      return `Remove \`vi.useFakeTimers()\`, because simTest runs timers on its clock, or ${advance}.`
    if (this.#hasRealTimers) return `Remove \`timers: 'real'\`, or ${advance}.`
    return (
      `A${advance.slice(1)}. Code that waits with a timer has kept a real one: list 'tasksim/vitest' in \`setupFiles\`, ` +
      "so that it is loaded first. For code in another process, use `clock: 'real'` and a `speed`."
    )
  }
}

function describeOpen({ method, path, fault = '' }: AnsweredRequest, limit: number): string {
  return (
    `The client waits for the answer to \`${method} ${path}\` until Vitest's limit of ${limit} ms. The fault ` +
    `\`${fault}\` leaves this request without an answer, and the client has not closed it. Give each request of the ` +
    'client a time limit, such as `signal: AbortSignal.timeout(60_000)` or the option `timeout` of an official client. ' +
    'If it has one, it runs in real time: set it shorter than the limit of the test.'
  )
}

/** The event of a task for which code may wait. */
function awaitedOf({ event, webhook }: Upcoming): UpcomingEvent | undefined {
  return [event, webhook].find((each) => each?.task_id !== undefined && each.what !== 'url_expiry')
}
