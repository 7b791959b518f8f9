import type { RunnerTestCase } from 'vitest'
import type { AnsweredRequest } from '../engine/requests/answered-request.js'
import { isTerminal } from '../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import { formatDuration } from '../inspect/findings/evidence.js'
import type { FindingRule } from '../inspect/findings/finding.js'
import { pollsAfterEnd } from '../inspect/findings/rules/polls-after-end.js'
import { pollsTooFast } from '../inspect/findings/rules/polls-too-fast.js'
import { pollsWithoutEnd } from '../inspect/findings/rules/polls-without-end.js'
import { checkClient } from '../inspect/findings/verdict.js'
import type { Simulator } from '../library/build-simulator.js'
import { replaceMessage, timeoutOf } from './explain-errors.js'
import { realImmediate } from './timers/global-time.js'

/** So many requests for the same thing are a loop. */
const SHORTEST = 20

/** A test that reaches its limit so long after a request does not wait in a loop, in milliseconds of real time. */
const PAUSE = 1_000

/** After so many requests, a loop without end gets no more answers. */
const LONGEST = 1_000

/** So many connections of a loop without any wait are broken. */
const MOST_BROKEN = 100

/** How long a loop about a running task lasts at least before it gets no more answers, in milliseconds on the clock. */
const DAY = 86_400_000

/** The events that end a series of requests, because the next one may have another answer. */
const CHANGES = ['task.created', 'task.started', 'task.finished', 'task.released', 'control.used'] as const

/** Requests for the same thing, between which nothing has changed. */
interface Series {
  readonly first: AnsweredRequest
  last: AnsweredRequest
  count: number
}

/**
 * Notices a client that sends the same request again and again, while nothing changes, such as a poll loop without a
 * deadline. If the verdict is sure that such a loop has no end, its connections fail, so that the client may stop.
 */
export class EndlessLoop {
  readonly #sim: Simulator
  readonly #longest: number
  readonly #stop: () => void
  readonly #series = new Map<string, Series>()
  #latest: Series | undefined
  /** When the latest request was answered, in milliseconds of real time. */
  #latestAt = 0
  /** The loop that gets no more answers. */
  #ended: Series | undefined
  /** The number of requests since the connections of a loop without any wait are broken. */
  #broken = 0

  /** @param longest how many requests a loop without end may send */
  constructor(sim: Simulator, longest = LONGEST) {
    this.#sim = sim
    this.#longest = longest
    const listeners = [
      sim.on('request.answered', (request) => this.#count(request)),
      ...CHANGES.map((name) => sim.events.on(name, () => this.#series.clear())),
    ]
    this.#stop = () => {
      for (const stop of listeners) stop()
    }
  }

  #count(request: AnsweredRequest): void {
    const key = `${request.method} ${request.path}`
    const series = this.#series.get(key) ?? { first: request, last: request, count: 0 }
    this.#series.set(key, series)
    series.last = request
    series.count += 1
    this.#latest = series
    this.#latestAt = performance.now()
    if (series.count % this.#longest === 0 && this.#isWithoutEnd(series)) this.#ended ??= series
  }

  /** Whether the loop is one of those that no correct client has. */
  #isWithoutEnd({ first, last }: Series): boolean {
    if (this.#isEnded(last) && this.#isFound(pollsAfterEnd, last)) return true
    return last.at - first.at >= DAY && this.#isFound(pollsWithoutEnd, last)
  }

  /** Whether a finding is about the task of a request or, without a task, about such requests. */
  #isFound({ id: rule }: FindingRule, { taskId, operation }: AnsweredRequest): boolean {
    if (taskId === undefined && operation !== 'tasks.create') return false
    const { findings } = checkClient(this.#sim.findingInput({ final: false }))
    const found = findings.find(({ id }) => id === rule)
    return found?.evidence.some((each) => each.taskId === taskId) === true
  }

  /** The mistake because of which a task is polled so often; undefined if there is none. */
  #mistakeIn({ last }: Series): FindingRule | undefined {
    if (this.#isFound(pollsTooFast, last)) return pollsTooFast
    const isStuck = this.#sim.tasks.get(String(last.taskId))?.plan.outcome === 'stuck'
    return isStuck || this.#isFound(pollsWithoutEnd, last) ? pollsWithoutEnd : undefined
  }

  #isEnded({ taskId }: AnsweredRequest): boolean {
    const task = taskId === undefined ? undefined : this.#sim.tasks.get(taskId)
    return task !== undefined && isTerminal(task.status)
  }

  /** Returns the reply, or a failed connection if it belongs to a loop that gets no more answers. */
  async answer(pending: Promise<Reply>): Promise<Reply> {
    const reply = await pending
    if (this.#sim.loops.ended !== undefined) await this.#slowDown()
    return this.#ended !== undefined && this.#ended.last.id === reply.headers['x-request-id']
      ? { ...reply, transmission: { ends: 'before' } }
      : reply
  }

  /**
   * A loop that goes on after failed connections must not keep Vitest's timer from firing, nor go on in the next test, so
   * it gets no answer in the end.
   */
  async #slowDown(): Promise<void> {
    this.#broken += 1
    await new Promise((resolve) => {
      if (this.#broken <= MOST_BROKEN) realImmediate(resolve)
    })
  }

  /**
   * Stops looking. A test that has failed because of such a loop fails with a sentence that names it: instead of Vitest's
   * about the time limit, or after the error of the client.
   * @throws an error with this sentence if the client has ended the loop after its connections had failed
   */
  end({ result }: RunnerTestCase): void {
    this.#stop()
    if (result?.state !== 'fail') return
    const timeout = timeoutOf(result)
    const { ended } = this.#sim.loops
    if (ended !== undefined) {
      report(timeout, ended)
      return
    }
    const loop = this.#ended ?? (timeout === undefined ? undefined : this.#runningLoop())
    if (loop === undefined) return
    const until = timeout === undefined ? '' : `, until Vitest's limit of ${timeout.limit} ms`
    report(timeout, this.#message(loop, until))
  }

  /** The loop in which the test was until now. */
  #runningLoop(): Series | undefined {
    const loop = this.#latest
    if (loop === undefined || loop.count < SHORTEST || loop.last.at === loop.first.at) return undefined
    return performance.now() - this.#latestAt < PAUSE ? loop : undefined
  }

  #message(loop: Series, until: string): string {
    const { first, last, count } = loop
    const { method, path, taskId, status } = last
    const lasted = `${formatDuration(last.at - first.at)} on the simulator's clock${until}`
    const stopped = loop === this.#ended ? ' The simulator has therefore broken its connections.' : ''
    const task = taskId === undefined ? undefined : this.#sim.tasks.get(taskId)
    const isFailing = last.note.isAltered === true || !last.delivered || status >= 400
    if (task === undefined || isFailing) {
      const advice =
        loop === this.#ended
          ? adviceOf(pollsWithoutEnd)
          : 'End each loop after some attempts, or at a deadline.'
      const answer =
        status === 0 ? 'The last request had no answer.' : `The status of the last answer is ${status}.`
      return `The client has sent \`${method} ${path}\` ${count} times for ${lasted}. ${answer}${stopped} ${advice}`
    }
    const state = `\`${task.status}\``
    const polls = `The client has polled ${taskId} ${count} times for ${lasted}`
    if (isTerminal(task.status))
      return `${polls}, after it had become ${state}.${stopped} ${adviceOf(pollsAfterEnd)}`
    if (loop === this.#ended)
      return `${polls}, and it is still ${state}.${stopped} ${adviceOf(pollsWithoutEnd)}`
    const mistake = this.#mistakeIn(loop)
    if (mistake === undefined) return `${polls}, and it is still ${state}. ${MORE_TIME}`
    const longer = mistake === pollsWithoutEnd ? ` ${LONGER}` : ''
    return `${polls}, and it is still ${state}. ${adviceOf(mistake)}${longer}`
  }
}

/** @throws an error with the message if the test has not reached its time limit */
function report(timeout: ReturnType<typeof timeoutOf>, message: string): void {
  if (timeout === undefined) throw new Error(message)
  replaceMessage(timeout.error, message)
}

function adviceOf({ id, remedy }: FindingRule): string {
  return `See the finding \`${id}\`: ${remedy}`
}

const MORE_TIME =
  'So many polls need more real time than the test has: raise its limit, or use a scenario with a shorter delay.'
const LONGER =
  'If the client has a deadline, raise the limit of the test, or let the client wait longer between its polls.'
