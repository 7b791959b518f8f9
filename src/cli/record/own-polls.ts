import type { OutgoingHttpHeaders } from 'node:http'
import type { Dialect } from '../../dialects/dialect.js'
import { findCreate } from '../../dialects/reading/find-operation.js'
import { type TaskUrls, taskUrls } from '../../dialects/reading/task-urls.js'
import { startTimer, stopwatch, systemNow } from '../../engine/clock/system-clock.js'
import { isFinalRejection, isSuccess, isTemporary } from '../../engine/requests/statuses.js'
import { isTerminal } from '../../engine/tasks/task.js'
import { retryAfterOf } from '../../engine/webhooks/deliveries/retry-policy.js'
import type { PassedExchange, PassedRequest, PassedResponse } from '../../record/recording/passed-exchange.js'
import { keyOf } from '../../record/recording/redact/headers.js'
import { CapturedBody } from './proxy/captured-body.js'
import { endToEnd, joined } from './proxy/message.js'
import { replaceUrls } from './proxy/replace-urls.js'
import { send } from './proxy/send.js'
import type { Replacements } from './proxy/upstream.js'
import { shownTasks } from './read-exchange.js'

/** What own polls need. */
export interface OwnPollsOptions {
  readonly dialect: Dialect
  /** Milliseconds without a request about a task until tasksim polls it. */
  readonly interval: number
  /** Whether a request of a client whose URL contains a string has not ended, such as a stream. */
  readonly hasOpen: (text: string) => boolean
  /** Whether the end of the task that a request creates becomes known without a poll. */
  readonly isAnnounced: (create: PassedRequest) => boolean
  /** Sends a request and returns the exchange, which also goes to the listeners. */
  readonly send: (request: OwnRequest) => Promise<PassedExchange>
}

/** A request of tasksim itself. */
export interface OwnRequest {
  readonly url: string
  readonly headers: OutgoingHttpHeaders
}

interface Watched {
  readonly id: string
  readonly urls: TaskUrls
  readonly headers: OutgoingHttpHeaders
  /** Requests with the same API key are sent one after the other. */
  readonly key: string
  seenAt: number
  isPolledByClient: boolean
  failures: number
  cancelTimer: () => void
}

/** A client that has polled a task once will probably poll it again, if only after a long pause. */
const CLIENT_PAUSES = 12
const MOST_FAILURES = 10

/** Polls the tasks that no client polls, until they end. */
export class OwnPolls {
  readonly #options: OwnPollsOptions
  readonly #watched = new Map<string, Watched>()
  /** The last request of each API key. */
  readonly #last = new Map<string, Promise<void>>()
  /** Until when an API key may not be used, in epoch milliseconds. */
  readonly #pauses = new Map<string, number>()
  #isStopped = false

  constructor(options: OwnPollsOptions) {
    this.#options = options
  }

  /** Sees a request of a client or of tasksim itself, and its answer. */
  exchange({ request, response, isOwn }: PassedExchange): void {
    for (const { id, status } of shownTasks(this.#options.dialect, response)) {
      const known = this.#watched.get(id)
      if (status !== undefined && isTerminal(status)) this.#end(id)
      else if (known === undefined) this.#begin(id, request)
      else {
        known.seenAt = systemNow()
        known.isPolledByClient ||= !isOwn
      }
    }
  }

  /** Sends no further requests. */
  stop(): void {
    this.#isStopped = true
    for (const id of [...this.#watched.keys()]) this.#end(id)
  }

  #begin(id: string, create: PassedRequest): void {
    const { dialect, isAnnounced } = this.#options
    const { method, url, headers } = create
    const place = { method, url: new URL(url) }
    if (this.#isStopped || findCreate(dialect, place) === undefined || isAnnounced(create)) return
    const urls = taskUrls(dialect, place, id)
    if (urls === undefined) return
    const key = keyOf(dialect.key, { url, headers }) ?? ''
    const watched = {
      id,
      urls,
      headers: headersFor(headers),
      key,
      seenAt: systemNow(),
      isPolledByClient: false,
      failures: 0,
      cancelTimer: () => {},
    }
    this.#watched.set(id, watched)
    this.#schedule(watched)
  }

  #end(id: string): void {
    this.#watched.get(id)?.cancelTimer()
    this.#watched.delete(id)
  }

  #schedule(task: Watched): void {
    const { interval } = this.#options
    const pause = task.isPolledByClient ? interval * CLIENT_PAUSES : interval
    const due = Math.max(task.seenAt + pause, this.#pauses.get(task.key) ?? 0)
    task.cancelTimer = startTimer(due - systemNow(), () => this.#wake(task, pause))
  }

  #wake(task: Watched, pause: number): void {
    const isDue = systemNow() >= task.seenAt + pause && systemNow() >= (this.#pauses.get(task.key) ?? 0)
    if (!isDue) this.#schedule(task)
    else if (this.#options.hasOpen(task.id)) {
      task.seenAt = systemNow()
      this.#schedule(task)
    } else this.#enqueue(task)
  }

  /** Sends one request per API key at a time. */
  #enqueue(task: Watched): void {
    const next = (this.#last.get(task.key) ?? Promise.resolve()).then(() => this.#poll(task))
    this.#last.set(task.key, next)
  }

  async #poll(task: Watched): Promise<void> {
    if (!this.#watched.has(task.id)) return
    const { response } = await this.#options.send({ url: task.urls.poll, headers: task.headers })
    const { status = 0, headers = {} } = response ?? {}
    const now = systemNow()
    if (isTemporary(status)) this.#pauses.set(task.key, now + retryAfterOf(headers, now))
    task.failures = isSuccess(status) ? 0 : task.failures + 1
    if (!this.#watched.has(task.id)) await this.#readResult(task)
    else if (isFinalRejection(status) || task.failures >= MOST_FAILURES) this.#end(task.id)
    else {
      task.seenAt = now
      this.#schedule(task)
    }
  }

  /** Reads the result of a task that has just ended, if only the result shows the output. */
  async #readResult({ urls, headers }: Watched): Promise<void> {
    if (urls.result !== undefined && !this.#isStopped) await this.#options.send({ url: urls.result, headers })
  }
}

/** Headers of a create request that are about its body or its answer. */
const ABOUT_CREATE = /^(?:content-|accept$|prefer$|idempotency|expect|if-|x-stainless-|transfer-)/

/** The headers of a create request that a poll has as well, such as the API key. */
function headersFor(create: Readonly<Record<string, string>>): OutgoingHttpHeaders {
  const kept = Object.entries(create).filter(([name]) => !ABOUT_CREATE.test(name))
  return { ...Object.fromEntries(kept), accept: 'application/json' }
}

/** Milliseconds after which a request of tasksim itself fails. */
const TIMEOUT = 60_000

/**
 * Sends a request of tasksim itself to the service. Never fails: without an answer, the exchange has none.
 * @param replacements of what the recording must not contain
 */
export async function ownExchange(
  { url, headers }: OwnRequest,
  replacements: Replacements,
  stopped: AbortSignal,
): Promise<PassedExchange> {
  const [at, begin] = [systemNow(), stopwatch()]
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT)])
  const response = await answerTo({ url, headers }, replacements, signal).catch(() => undefined)
  return {
    at,
    took: Math.round(stopwatch() - begin),
    isOwn: true,
    request: { method: 'GET', url, headers: joined(headers), body: new Uint8Array() },
    response,
  }
}

async function answerTo(
  { url, headers }: OwnRequest,
  replacements: Replacements,
  signal: AbortSignal,
): Promise<PassedResponse> {
  const answer = await send({ method: 'GET', url, headers, body: undefined }, signal)
  const captured = new CapturedBody()
  for await (const piece of answer) captured.add(piece)
  const { body, longBody } = captured.result()
  return {
    status: answer.statusCode ?? 0,
    headers: joined(endToEnd(answer)),
    body: replacements.length === 0 ? body : replaceUrls(Buffer.from(body), replacements),
    longBody,
  }
}
