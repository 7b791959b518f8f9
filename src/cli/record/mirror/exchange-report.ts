import type { Dialect } from '../../../dialects/dialect.js'
import { findOperation, pathOf } from '../../../dialects/reading/find-operation.js'
import { listForms, readPage } from '../../../dialects/reading/list-pages.js'
import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { withoutSecrets } from '../../../engine/mask.js'
import type { ExchangeNote } from '../../../engine/requests/answered-request.js'
import { isSuccess } from '../../../engine/requests/statuses.js'
import { isSecretName } from '../../../engine/secret-names.js'
import { InputError } from '../../../engine/tasks/kinds.js'
import type { Status, Task } from '../../../engine/tasks/task.js'
import type { ApiRequest, Reply } from '../../../exchange/exchange.js'
import { Problem } from '../../../exchange/problem.js'
import { exchangeOf, hasOperation } from '../../../hosts/api.js'
import { draftOf, readDraft } from '../../../http/handlers/create-body.js'
import { checkedOrder } from '../../../http/handlers/create-task.js'
import { answeredRequest } from '../../../http/middleware/journal.js'
import { type Exchange, isOfService } from '../../../http/operation.js'
import type { SeenExchange } from '../../../record/exchanges/seen-exchange.js'
import type { PassedExchange, PassedRequest } from '../../../record/recording/passed-exchange.js'
import type { Simulator } from '../../../simulator/simulator.js'
import { textIn } from '../read-exchange.js'
import type { MirroredOrder } from './mirrored-task.js'
import { observedStates } from './observed-states.js'

/** Reports exchanges that passed through the proxy to the journal, as the pipeline reports those of a simulator. */
export class ExchangeReport {
  readonly #sim: Simulator
  readonly #dialect: Dialect
  #count = 0

  constructor(sim: Simulator, dialect: Dialect) {
    this.#sim = sim
    this.#dialect = dialect
  }

  /** Finds the operation of an exchange. */
  async open(passed: PassedExchange): Promise<OpenReport> {
    const { at, request, response } = passed
    this.#count += 1
    const path = await knownPath(this.#sim, pathOf(this.#dialect, new URL(request.url)))
    await this.#sim.dialects.loadFor(path)
    const id = idOf(at, this.#count)
    const exchange = { ...exchangeOf(this.#sim, apiRequestOf(request, path)), id, at }
    if (isOfService(exchange)) {
      const { authenticated, taskInBody } = exchange.operation
      if (authenticated && response?.status !== 401) exchange.key = exchange.sentKey?.key ?? ''
      if (taskInBody !== undefined) exchange.namedTask = await attempt(() => taskInBody(exchange))
    }
    return new OpenReport(exchange, passed, this.#dialect)
  }
}

/** The report of one exchange. */
class OpenReport {
  readonly #exchange: Exchange
  readonly #passed: PassedExchange
  readonly #dialect: Dialect

  constructor(exchange: Exchange, passed: PassedExchange, dialect: Dialect) {
    this.#exchange = exchange
    this.#passed = passed
    this.#dialect = dialect
  }

  /** Reads what the request shows about the tasks in its answer. Our own reading may be stricter than the service. */
  async order(): Promise<MirroredOrder> {
    const { key, request } = this.#exchange
    const common = { owner: key, origin: request.origin }
    const created = await attempt(() => this.#readOrder())
    return created === undefined ? { ...common, isCreate: false } : { ...common, ...created, isCreate: true }
  }

  async #readOrder() {
    const exchange = this.#exchange
    if (!isOfService(exchange)) return undefined
    const { reader } = exchange.operation
    if (reader === undefined) return undefined
    await readDraft(exchange, reader)
    const order = checkedOrder(draftOf(exchange), reader, exchange.note)
    const { wait, isStream, model, kind, input, webhookUrl, extra } = order
    if (isStream) exchange.note.isStream = true
    else if (wait > 0) exchange.note.wait = wait
    return { model, kind, input, webhookUrl, extra }
  }

  /** The task that the request has deleted. */
  get deletedTask(): string | undefined {
    const { operation, namedTask } = this.#exchange
    const isDeleted = operation?.id === 'tasks.delete' && isSuccess(this.#passed.response?.status)
    return isDeleted ? namedTask : undefined
  }

  /**
   * Emits the event of the exchange.
   * @param shown the tasks in the answer
   * @param statusOf the state of a task, as far as it is known
   */
  emit(seen: SeenExchange, shown: readonly Task[], statusOf: (id: string) => Status | undefined): void {
    const { sim, operation, namedTask = '', note } = this.#exchange
    const { status = 0 } = this.#passed.response ?? {}
    Object.assign(note, this.#wait())
    const secrets = [this.#exchange.key, ...secretTexts(seen.body), ...secretTexts(seen.answer?.body)].filter(
      (secret) => secret !== '',
    )
    if (note.requestBody !== undefined) note.requestBody = withoutSecrets(note.requestBody, secrets)
    note.observed = observedStates(this.#exchange, { status, shown, known: statusOf(namedTask) })
    if (operation?.id === 'tasks.list') note.nextCursor = nextCursorIn(this.#dialect, seen)
    if (operation?.id === 'tasks.create' && status < 300) this.#exchange.taskId = shown[0]?.id
    const reply = this.#reply(secrets)
    const { at: realAt, took } = this.#passed
    const times = { answeredAt: seen.answeredAt, realAt, took }
    sim.events.emit('request.answered', answeredRequest(this.#exchange, reply, times))
    this.#exchange.body.transfer?.release()
  }

  /** For how long the request lets its answer wait. */
  #wait(): Pick<ExchangeNote, 'wait'> {
    const exchange = this.#exchange
    if (!isOfService(exchange) || exchange.operation.wait === undefined) return {}
    try {
      const wait = exchange.operation.wait(exchange)
      return wait > 0 ? { wait } : {}
    } catch (error) {
      if (error instanceof Problem) return {}
      throw error
    }
  }

  #reply(secrets: readonly string[]): Reply {
    const { response } = this.#passed
    if (response === undefined)
      return { status: 0, headers: {}, body: undefined, transmission: { ends: 'before' } }
    const { status, headers, body } = response
    return {
      status,
      headers: { ...headers },
      body: textIn(body, headers['content-type']),
      secrets,
    }
  }
}

/** Reads something that may not have the form that we know. */
async function attempt<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem || error instanceof InputError) return undefined
    throw error
  }
}

/**
 * The value that requests the second page of a list in the query; undefined if an answer is another page, or the last
 * one.
 */
function nextCursorIn(dialect: Dialect, { url, answer }: SeenExchange): string | undefined {
  const { body = null } = answer ?? {}
  const asked = new URL(url)
  const route = findOperation(dialect, { method: 'GET', url })?.route
  const form = listForms(dialect).find(({ path }) => path === route)
  if (form === undefined || !isJsonObject(body)) return undefined
  const { next } = readPage(dialect, form, { method: 'GET', url, headers: {} }, body)
  const following = new URLSearchParams(next && new URL(next.url).search)
  const isFirst = [...asked.searchParams].every(([name, value]) => following.get(name) === value)
  return isFirst ? [...following].find(([name]) => !asked.searchParams.has(name))?.[1] : undefined
}

/** Shorter texts are rarely secrets, and would hide other parts of a body. */
const SHORTEST = 8

/** The texts in fields with the names of secrets, such as a signing secret that a service has just created. */
function secretTexts(value: JsonValue | undefined, name = ''): string[] {
  if (typeof value === 'string') return value.length >= SHORTEST && isSecretName(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, inner]) =>
    secretTexts(inner, Array.isArray(value) ? name : field),
  )
}

/** The end of a path that is one of the service: its start may be that of a gateway. */
async function knownPath(sim: Simulator, path: string): Promise<string> {
  for (let start = 0; start !== -1; start = path.indexOf('/', start + 1))
    if (await hasOperation(sim, path.slice(start))) return path.slice(start)
  return path
}

/** The ids of requests are in the order of their arrival, although the proxy reports them when they are answered. */
function idOf(at: number, number: number): string {
  return `req_${Math.round(at).toString(36).padStart(9, '0')}${number.toString(36).padStart(4, '0')}`
}

/** A request that passed through the proxy, as one to a simulator. @param path the path in the routes of the service */
function apiRequestOf({ method, url, headers, body }: PassedRequest, path: string): ApiRequest {
  const { origin, search } = new URL(url)
  return {
    method,
    path,
    query: search.slice(1),
    origin,
    header: (name) => headers[name],
    headers: () => headers,
    body: async (limit) => (body.length > limit ? undefined : body),
  }
}
