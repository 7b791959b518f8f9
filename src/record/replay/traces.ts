import type { Dialect } from '../../dialects/dialect.js'
import { type FoundOperation, findOperation } from '../../dialects/reading/find-operation.js'
import type { SeenOrder } from '../../dialects/reading/read-order.js'
import { readResult } from '../../dialects/reading/read-result.js'
import { readTask } from '../../dialects/reading/read-task.js'
import { readEvent, readWebhook } from '../../dialects/reading/read-webhook.js'
import type { SeenTask } from '../../dialects/reading/seen-values.js'
import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { taskInAnswer } from '../../engine/tasks/answered-task.js'
import { jsonOfBody } from '../exchanges/recorded-entries.js'
import { eventsIn, orderIn, type SeenEvent } from '../exchanges/seen-exchange.js'
import type { ExchangeEntry, RecordedBody, RecordedResponse, WebhookEntry } from '../recording/recording.js'
import { type RepeatedHeaders, repeatedHeaders } from './repeated-headers.js'
import type { Rejection, Trace, TracedAnswer, TracedStream, TracedText } from './trace.js'

/** The statuses of answers that say nothing about the task. */
const UNRELATED = new Set([401, 403, 404, 408, 429, 502, 503, 504])

/** The statuses of rejections that depend on the API key. */
const ABOUT_KEYS = new Set([401, 403])

/** Collects what a recording shows of each task. */
export class Traces {
  readonly #dialect: Dialect
  readonly #traces = new Map<string, Trace>()
  readonly #repeated: RepeatedHeaders
  readonly #orders: (Trace | Rejection)[] = []
  /** The URLs of the files that clients have uploaded, without query and fragment. */
  readonly uploads = new Set<string>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#repeated = repeatedHeaders(dialect)
  }

  /** In the order of the create requests. */
  get all(): readonly (Trace | Rejection)[] {
    return [...this.#orders].sort((one, other) => one.zero - other.zero)
  }

  /** Adds an exchange. They come in the order of their answers. */
  add(entry: ExchangeEntry): void {
    const { request, response } = entry
    const operation = findOperation(this.#dialect, { ...request, body: objectIn(request.body) })
    if (operation === undefined || response === undefined) return
    if (operation.name === 'tasks.create') this.#addOrder(entry, operation, response)
    else if (operation.name === 'tasks.list') this.#addPage(entry, response)
    else if (operation.name === 'files.upload') this.#addUpload(response)
    else if (operation.taskId !== undefined) this.#addAnswer(entry, operation, response)
  }

  /** Adds a webhook, after all exchanges. */
  addWebhook({ at, took, request }: WebhookEntry): void {
    const body = objectIn(request.body)
    const seen = body && readWebhook(this.#dialect, body)
    const trace = this.#traces.get(seen?.id ?? '')
    if (trace === undefined) return
    const time = Date.parse(at)
    trace.webhooks.push({ at: time, ...stateIn(seen), text: JSON.stringify(body) })
    addState(trace, time, took, seen)
  }

  #addOrder(entry: ExchangeEntry, operation: FoundOperation, response: RecordedResponse): void {
    const { at, took, request } = entry
    const body = objectIn(request.body)
    const order = orderIn(this.#dialect, request, body)
    const answer = objectIn(response.body)
    const events = this.#tasksInEvents(entry, response)
    const seen = answer === undefined ? events[0]?.seen : taskIn(this.#dialect, answer)
    if (order === undefined) return
    if (response.status >= 400) this.#addRejection(entry, order, operation, response)
    // The same key of idempotency gets the same task.
    if (seen?.id === undefined || response.status >= 300 || this.#traces.has(seen.id)) return
    const stream = streamOf(entry, operation, response)
    const trace: Trace = {
      id: seen.id,
      zero: Date.parse(at),
      model: order.model,
      input: order.input,
      inputText: JSON.stringify(body),
      created: answer && this.#answerOf(entry, operation, response, seen, seen.id),
      states: [],
      answers: [],
      items: [],
      streams: stream === undefined ? [] : [stream],
      webhooks: [],
      isCanceled: false,
    }
    this.#traces.set(trace.id, trace)
    this.#orders.push(trace)
    if (answer !== undefined) addState(trace, trace.zero, took, seen)
    for (const event of events) addState(trace, event.at, 0, event.seen)
  }

  #tasksInEvents(
    entry: ExchangeEntry,
    response: RecordedResponse,
  ): readonly { readonly at: number; readonly seen: SeenTask | undefined }[] {
    const events = eventsOf(entry, response).map(({ at, data }) => ({
      at,
      seen: isJsonObject(data) ? readEvent(this.#dialect, data) : undefined,
    }))
    return events.filter(({ seen }) => seen !== undefined)
  }

  #addPage({ at, took }: ExchangeEntry, response: RecordedResponse): void {
    for (const { item, seen } of tasksInList(this.#dialect, objectIn(response.body) ?? {})) {
      const trace = this.#traces.get(seen.id ?? '')
      trace?.items.push({ at: Date.parse(at), ...stateIn(seen), text: JSON.stringify(item) })
      if (trace !== undefined) addState(trace, Date.parse(at), took, seen)
    }
  }

  #addUpload({ body }: RecordedResponse): void {
    for (const [url] of (textOf(body) ?? '').matchAll(/https?:\/\/[^\s"?#\\]+/g)) this.uploads.add(url)
  }

  #addAnswer(entry: ExchangeEntry, operation: FoundOperation, response: RecordedResponse): void {
    const trace = this.#traces.get(operation.taskId ?? '')
    if (trace === undefined || UNRELATED.has(response.status)) return
    if (operation.name !== 'tasks.result' && response.status >= 300) return
    const stream = streamOf(entry, operation, response)
    if (stream !== undefined) {
      trace.streams.push(stream)
      for (const { at, seen } of this.#tasksInEvents(entry, response)) addState(trace, at, 0, seen)
      return
    }
    const body = operation.name === 'tasks.result' ? undefined : objectIn(response.body)
    const seen = body && taskIn(this.#dialect, body)
    const answer = this.#answerOf(entry, operation, response, seen, trace.id)
    if (answer !== undefined) trace.answers.push(answer)
    if (operation.name === 'tasks.cancel') trace.isCanceled = true
    else addState(trace, Date.parse(entry.at), entry.took, seen ?? this.#seenResult(trace, entry, response))
  }

  #addRejection(
    entry: ExchangeEntry,
    { model, input }: SeenOrder,
    operation: FoundOperation,
    response: RecordedResponse,
  ): void {
    const answer = this.#answerOf(entry, operation, response, undefined)
    if (model === undefined || answer === undefined || ABOUT_KEYS.has(response.status)) return
    const inputText = JSON.stringify(objectIn(entry.request.body))
    this.#orders.push({ zero: Date.parse(entry.at), model, input, inputText, answer })
  }

  #answerOf(
    { at }: ExchangeEntry,
    { name, route }: FoundOperation,
    { status: code, headers, body }: RecordedResponse,
    seen: SeenTask | undefined,
    id?: string,
  ): TracedAnswer | undefined {
    const text = textOf(body)
    if (text === undefined) return undefined
    const repeated = { 'content-type': 'application/json', ...this.#repeated(headers, id) }
    const answer = { operation: name, route, at: Date.parse(at), code, headers: repeated, text }
    return { ...answer, ...stateIn(seen) }
  }

  /** For some services, only the result of a task shows its end. */
  #seenResult(
    { states }: Trace,
    { request: { method, url } }: ExchangeEntry,
    { status, body }: RecordedResponse,
  ): SeenTask | undefined {
    const operation = findOperation(this.#dialect, { method, url })?.operation
    if (operation?.action !== 'result') return undefined
    const known = states.at(-1)?.status
    return readResult(this.#dialect, operation, { status, body: objectIn(body) ?? {}, known })
  }
}

function stateIn(seen: SeenTask | undefined): Pick<TracedText, 'status' | 'unknownWord'> {
  return { status: seen?.status, unknownWord: seen?.unknownWord }
}

function addState({ states }: Trace, at: number, took: number, seen: SeenTask | undefined): void {
  const { status, unknownWord } = stateIn(seen)
  if ((status ?? unknownWord) === undefined) return
  states.push({ at, answeredAt: at + took, status: status ?? 'processing', unknownWord })
  states.sort((one, other) => one.at - other.at)
}

function streamOf(
  { at }: ExchangeEntry,
  { name, route }: FoundOperation,
  { headers, pieces }: RecordedResponse,
): TracedStream | undefined {
  if (pieces === undefined) return undefined
  const contentType = headers['content-type'] ?? 'text/event-stream; charset=utf-8'
  const start = Date.parse(at)
  const timed = wholeLines(pieces).map(([after, text]) => [start + after, text] as const)
  return { operation: name, route, contentType, pieces: timed }
}

type Piece = readonly [after: number, text: string]

/** Joins the pieces of a stream that end within a line, because a time or a URL may be in both. */
function wholeLines(pieces: readonly Piece[]): readonly Piece[] {
  const lines: [number, string][] = []
  for (const [after, text] of pieces) {
    const last = lines.at(-1)
    if (last !== undefined && !last[1].endsWith('\n')) {
      last[0] = after
      last[1] += text
    } else lines.push([after, text])
  }
  return lines
}

/** The text of a body; undefined if it is not text. */
function textOf(body: RecordedBody | undefined): string | undefined {
  if (body === undefined) return ''
  if ('json' in body) return JSON.stringify(body.json)
  return 'text' in body ? body.text : undefined
}

/** The JSON object in a body; undefined if there is none. */
function objectIn(body: RecordedBody | undefined): JsonObject | undefined {
  const json = jsonOfBody(body)
  return isJsonObject(json) ? json : undefined
}

/** The task in an answer about one task. */
function taskIn(dialect: Dialect, body: JsonObject): SeenTask {
  return readTask(dialect, taskInAnswer(body, dialect.answers))
}

/** The tasks in a list, each with its JSON. */
function tasksInList(
  dialect: Dialect,
  body: JsonObject,
): { readonly item: JsonObject; readonly seen: SeenTask }[] {
  const list = body[dialect.answers.list]
  const items = Array.isArray(list) ? list.filter(isJsonObject) : []
  return items.map((item) => ({ item, seen: readTask(dialect, item) }))
}

/** The server-sent events of an answer; none if it is not a stream. */
function eventsOf({ at }: ExchangeEntry, { pieces = [] }: RecordedResponse): readonly SeenEvent[] {
  const start = Date.parse(at)
  return eventsIn(pieces.map(([after, text]) => [start + after, text] as const))
}
