import type { Dialect } from '../../dialects/dialect.js'
import { type FoundOperation, findOperation } from '../../dialects/reading/find-operation.js'
import { readTask } from '../../dialects/reading/read-task.js'
import { readEvent, readWebhook } from '../../dialects/reading/read-webhook.js'
import type { DialectOperation } from '../../dialects/table/dialect-table.generated.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { type AnswerShape, answeredTasks, holderIn } from '../../engine/tasks/answered-task.js'
import { isTerminal } from '../../engine/tasks/task.js'
import type { SeenEvent, SeenExchange } from '../exchanges/seen-exchange.js'
import { keptHeaders } from '../recording/redact/headers.js'
import { AnswerFits } from './answer-fits.js'
import { type ComparedPart, type Difference, Differences } from './differences.js'
import {
  type ExpectedEvent,
  type ExpectedWebhook,
  expectedEvents,
  expectedWebhooks,
} from './expected-events.js'
import { type Fit, fit, nearest } from './fit.js'
import { StateSequence } from './state-sequence.js'

/** An exchange to compare. */
export interface ComparedExchange extends SeenExchange {
  /** Whether the service has sent it to a receiver; undefined if nothing but its content says so. */
  readonly isWebhook?: boolean | undefined
  /** Whether the body of the answer is not known, because it was too long to record. */
  readonly hasUnknownBody?: boolean | undefined
}

/** The result of comparing exchanges with a dialect. */
export interface Comparison {
  /** How many exchanges and webhooks were compared. */
  readonly compared: number
  /** How many were not: files, requests to other services, and requests without an answer. */
  readonly skipped: number
  /** In the order in which they were seen first. */
  readonly differences: readonly Difference[]
}

/**
 * Compares what a service has answered with what a dialect would have answered to the same requests: statuses, content
 * types and headers, fields and their types, the words of states and events, and their order. It does not compare values
 * that differ by nature, such as ids, times, URLs, inputs and outputs.
 * @param exchanges in the order of their answers
 */
export async function compare(
  exchanges: AsyncIterable<ComparedExchange>,
  dialect: Dialect,
): Promise<Comparison> {
  const comparing = new Comparing(dialect)
  let count = 0
  for await (const exchange of exchanges) comparing.add(exchange, ++count)
  return {
    compared: comparing.compared,
    skipped: count - comparing.compared,
    differences: comparing.differences,
  }
}

/** Compares one exchange after the other. */
class Comparing {
  compared = 0
  readonly #dialect: Dialect
  readonly #answers: AnswerFits
  readonly #order: StateSequence
  readonly #differences = new Differences()
  readonly #webhooks: readonly ExpectedWebhook[]
  readonly #events = new Map<DialectOperation, readonly ExpectedEvent[]>()
  /** The origins at which the service was reached. */
  readonly #origins: Set<string>
  /** Whether requests go to the hosts of the service. */
  #hasHosts = false

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#answers = new AnswerFits(dialect, keptHeaders(dialect))
    this.#order = new StateSequence(dialect)
    this.#webhooks = expectedWebhooks(dialect)
    this.#origins = new Set(dialect.hosts.map(({ origin }) => origin))
  }

  get differences(): readonly Difference[] {
    return this.#differences.all
  }

  /** @param number of the exchange; the first one is 1 */
  add(exchange: ComparedExchange, number: number): void {
    const { method, url, answer } = exchange
    const { origin, pathname } = new URL(url)
    if (this.#isWebhook(exchange)) {
      this.#addWebhook(exchange, number)
      return
    }
    const found = findOperation(this.#dialect, { method, url })
    if (answer === undefined || !this.#isOfService(origin, found)) return
    if (found === undefined) {
      const hasContent = isJsonObject(answer.body) && answer.status < 400
      if (hasContent) this.#addUnknownOperation(`${method} ${pathname}`, exchange, number)
    } else if (found.operation.action !== 'file') {
      this.compared += 1
      this.#addAnswer(exchange, found, answer, number)
    }
  }

  /** Whether a request is to the service: to one of its hosts, or to a proxy if there are none to its hosts. */
  #isOfService(origin: string, found: FoundOperation | undefined): boolean {
    const isHost = this.#dialect.hosts.some((host) => host.origin === origin)
    if (isHost) this.#hasHosts = true
    if (found !== undefined && !this.#hasHosts) this.#origins.add(origin)
    return isHost || (!this.#hasHosts && this.#origins.has(origin))
  }

  #addUnknownOperation(operation: string, { at }: ComparedExchange, number: number): void {
    this.compared += 1
    const expected = 'an operation of the dialect'
    this.#differences.add({ number, at, operation }, [
      { kind: 'operation', field: '', expected, got: operation },
    ])
  }

  #addAnswer(
    exchange: ComparedExchange,
    { operation, route }: FoundOperation,
    answer: NonNullable<SeenExchange['answer']>,
    number: number,
  ): void {
    const part: ComparedPart = { number, at: exchange.at, operation: `${operation.method} ${route}` }
    const { misfits, state } = this.#answers.of(operation, answer, exchange.hasUnknownBody === true)
    this.#differences.add({ ...part, state }, misfits)
    if (answer.events !== undefined) this.#addEvents(answer.events, exchange, operation, part)
    // Without a word for its state, a task with other fields has another state.
    const isClear = misfits.length === 0 || this.#dialect.answers.marks === undefined
    if (isClear && answer.status < 300 && isJsonObject(answer.body))
      this.#addStates(answer.body, exchange, part)
  }

  #addStates(body: JsonObject, exchange: ComparedExchange, part: ComparedPart): void {
    const { answers } = this.#dialect
    for (const [index, task] of answeredTasks(body, answers).entries()) {
      const field = pathOfTask(answers, body, index) + answers.status
      const misfit = this.#order.add(readTask(this.#dialect, task), exchange, field)
      if (misfit !== undefined) this.#differences.add(part, [misfit])
    }
  }

  #addEvents(
    events: readonly SeenEvent[],
    { at }: ComparedExchange,
    operation: DialectOperation,
    part: ComparedPart,
  ): void {
    const expected = this.#events.get(operation) ?? expectedEvents(this.#dialect, operation)
    this.#events.set(operation, expected)
    let last: number = 0
    for (const [index, event] of events.entries()) {
      const ofEvent = {
        ...part,
        event: index + 1,
        operation: `${part.operation} ${event.name ?? 'event'}`,
      }
      const best = nearest(expected.map((each) => ({ ...fitEvent(each, event), order: each.order })))
      if (best === undefined) continue
      this.#differences.add(ofEvent, best.misfits)
      if (best.misfits.some(({ kind }) => kind === 'event' || kind === 'state')) continue
      const latest = latestOrder(expected, event, best.distance)
      if (latest < last)
        this.#differences.add(ofEvent, [
          {
            kind: 'order',
            field: '',
            expected: 'no such event after the ones before',
            got: String(event.name ?? 'event'),
          },
        ])
      else last = Math.max(last, best.order)
      const seen = isJsonObject(event.data) ? readEvent(this.#dialect, event.data) : undefined
      if (seen !== undefined) this.#order.add(seen, { at: Math.max(at, event.at), answeredAt: event.at }, '')
    }
  }

  #addWebhook({ at, body, method, url }: ComparedExchange, number: number): void {
    this.compared += 1
    const part = { number, at, operation: 'webhook' }
    const { other_events: others = [] } = this.#dialect.table.webhook ?? {}
    const fits = this.#webhooks.map((each) => ({ ...fit(each.body, body ?? null), state: each.status }))
    const best = nearest(fits)
    if (best === undefined) {
      const got = `${method} ${new URL(url).pathname}`
      this.#differences.add(part, [{ kind: 'operation', field: '', expected: 'no webhook', got }])
      return
    }
    const isOther = best.misfits.some(
      ({ kind, got }) => kind === 'event' && others.includes(String(JSON.parse(got))),
    )
    if (isOther) return
    this.#differences.add({ ...part, state: best.state }, best.misfits)
    const seen = isJsonObject(body) ? readWebhook(this.#dialect, body) : undefined
    // A webhook about an earlier state can arrive late.
    if (seen?.status === undefined || !isTerminal(seen.status)) return
    const misfit = this.#order.add(seen, { at, answeredAt: at }, this.#dialect.answers.status)
    if (misfit !== undefined) this.#differences.add(part, [misfit])
  }

  #isWebhook({ isWebhook, method, url, body }: ComparedExchange): boolean {
    if (isWebhook !== undefined) return isWebhook
    if (method !== 'POST' || this.#origins.has(new URL(url).origin) || !isJsonObject(body)) return false
    return readWebhook(this.#dialect, body)?.id !== undefined
  }
}

/** The start of the fields of a task in an answer. */
function pathOfTask(shape: AnswerShape, body: JsonObject, index: number): string {
  if (Array.isArray(body[shape.list])) return `${shape.list}[${index}].`
  const holder = holderIn(body, shape)
  return holder === undefined ? '' : `${holder}.`
}

const OTHER_NAME = 50

function fitEvent({ name, data }: ExpectedEvent, event: SeenEvent): Fit {
  const { misfits, distance } = fit(data, dataOf(event))
  if (name === undefined ? event.name === undefined : name.test(event.name ?? ''))
    return { misfits, distance }
  const got = JSON.stringify(event.name ?? null)
  const misfit = { kind: 'event', field: '', expected: 'an event of the dialect', got } as const
  // What else differs says nothing about an event that the dialect does not know.
  return { misfits: [misfit], distance: distance + OTHER_NAME }
}

/** Events without content have empty data. */
function dataOf({ data }: SeenEvent): JsonValue {
  return data === '' ? {} : data
}

/** An event can be sent at several times, as far as its content tells. */
function latestOrder(expected: readonly ExpectedEvent[], event: SeenEvent, distance: number): number {
  const fitting = expected.filter(
    (each) => Math.floor(fitEvent(each, event).distance) <= Math.floor(distance),
  )
  return Math.max(...fitting.map(({ order }) => order))
}
