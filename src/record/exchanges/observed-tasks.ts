import type { Dialect } from '../../dialects/dialect.js'
import { type FoundOperation, findOperation } from '../../dialects/reading/find-operation.js'
import type { SeenOrder } from '../../dialects/reading/read-order.js'
import { readFailure, readResult } from '../../dialects/reading/read-result.js'
import { readTask } from '../../dialects/reading/read-task.js'
import { readEvent, readWebhook } from '../../dialects/reading/read-webhook.js'
import type { SeenTask } from '../../dialects/reading/seen-values.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { answeredTasks } from '../../engine/tasks/answered-task.js'
import { isTerminal } from '../../engine/tasks/task.js'
import { endOfUnknown, type ObservedTask } from '../history/observed-task.js'
import { withoutMissing } from '../without-missing.js'
import { orderIn, type SeenEvent, type SeenExchange } from './seen-exchange.js'

/** What an answer shows about a task. */
type Shown = Pick<SeenTask, 'id' | 'status'> & Partial<SeenTask>

/** When something about a task was seen. */
type Seen = Pick<SeenExchange, 'at' | 'answeredAt'>

/**
 * Finds the tasks of a service in the exchanges of its clients. If the service does not show when a task started or
 * ended, uses the time of the first answer that shows it, which is up to one polling interval late.
 */
export class ObservedTasks {
  readonly #dialect: Dialect
  readonly #observations = new Map<string, TaskObservation>()
  /** The ids of the tasks that the last exchange has shown. */
  readonly #changed = new Set<string>()
  /** The origins of the service; webhooks go to others. */
  readonly #origins = new Set<string>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    for (const { origin } of dialect.hosts) this.#origins.add(origin)
  }

  /**
   * Adds an exchange. They come in the order of their answers.
   * @returns the ids of the tasks that it shows
   */
  add(exchange: SeenExchange): readonly string[] {
    const { status, body = null } = exchange.answer ?? {}
    this.#changed.clear()
    if (this.#isWebhook(exchange)) this.#observeWebhook(exchange)
    if (status !== undefined) this.#observeAnswerOf(exchange, status, body)
    return [...this.#changed]
  }

  #observeAnswerOf(exchange: SeenExchange, status: number, body: JsonValue): void {
    const found = findOperation(this.#dialect, exchange)
    const answer = isJsonObject(body) ? body : {}
    if (found?.operation.action === 'result') this.#observeResult(found, exchange, { status, body: answer })
    else if (status < 300) {
      const hasState = this.#observeAnswer(exchange, answer, found)
      if (found !== undefined && !hasState) this.#observeEndByRequest(found, exchange)
    } else if (found !== undefined) this.#observeFailure(found, exchange, { status, body: answer })
    for (const event of exchange.answer?.events ?? []) this.#observeEvent(event, exchange)
  }

  /**
   * The tasks whose model is known, in the order in which they were seen first. All exchanges were added: a task has ended
   * if its last answers have a word that the dialect does not know.
   */
  *tasks(): Generator<ObservedTask> {
    for (const [id, observation] of this.#observations) {
      const task = this.#taskOf(id, withUnknownEnd(observation))
      if (task !== undefined) yield task
    }
  }

  /** A task; what the exchanges do not show is as in `otherwise`. */
  get(id: string, otherwise: Pick<ObservedTask, 'model' | 'status'>): ObservedTask | undefined {
    const observation = this.#observations.get(id)
    return observation && this.#taskOf(id, observation, otherwise)
  }

  /** Forgets a task, to limit the memory. */
  forget(id: string): void {
    this.#observations.delete(id)
  }

  #taskOf(
    id: string,
    observation: TaskObservation,
    otherwise?: Pick<ObservedTask, 'model' | 'status'>,
  ): ObservedTask | undefined {
    const { order, last } = observation
    const model = order?.model ?? last.model ?? otherwise?.model
    const status = last.status ?? otherwise?.status
    if (model === undefined || status === undefined) return undefined
    return {
      id,
      dialect: this.#dialect.name,
      model,
      kind: order?.kind ?? last.kind,
      status,
      unknownWord: observation.endSeenAt === undefined ? undefined : last.unknownWord,
      ...timesOf(observation),
      error: last.error,
      costUsd: last.cost,
      input: order?.input ?? last.input,
      output: last.output,
    }
  }

  /** @returns whether the answer shows the state of a task */
  #observeAnswer(exchange: SeenExchange, body: JsonObject, found: FoundOperation | undefined): boolean {
    const order = this.#orderIn(exchange)
    // The answer to a poll may show the state, but not the id.
    const polled = found?.operation.action === 'retrieve' ? found.taskId : undefined
    const shown = answeredTasks(body, this.#dialect.answers).map((task) => {
      const seen = readTask(this.#dialect, task)
      return { ...seen, id: seen.id ?? (seen.status && polled) }
    })
    for (const each of shown) this.#observe(each, exchange, order)
    if (shown.some(({ id }) => id !== undefined)) this.#origins.add(new URL(exchange.url).origin)
    return shown.some(({ status }) => status !== undefined)
  }

  #observeEvent({ at, data }: SeenEvent, exchange: SeenExchange): void {
    const shown = isJsonObject(data) ? readEvent(this.#dialect, data) : undefined
    if (shown !== undefined)
      this.#observe(shown, { at: exchange.at, answeredAt: at }, this.#orderIn(exchange))
  }

  #orderIn(exchange: SeenExchange): SeenOrder | undefined {
    return orderIn(this.#dialect, exchange, exchange.body)
  }

  #observe(shown: Shown, { at, answeredAt }: Seen, order?: SeenOrder): void {
    const { id, status } = shown
    const known = id === undefined ? undefined : this.#observations.get(id)
    // The answer to a create request may not show the state.
    if (id === undefined || (status ?? known ?? order) === undefined) return
    this.#changed.add(id)
    const isEnd = status !== undefined && isTerminal(status)
    const seenUnknown = shown.unknownWord === undefined ? undefined : answeredAt
    // An answer that arrives late does not undo the end.
    if (known?.endSeenAt !== undefined && !isEnd) return
    const isCanceled = known?.wasCanceled === true && this.#looksCanceled(shown)
    this.#observations.set(id, {
      order: known?.order ?? order,
      firstAt: known?.firstAt ?? at,
      last: {
        ...known?.last,
        ...(status !== undefined && { unknownWord: undefined }),
        ...withoutMissing(shown),
        ...(isCanceled && { status: 'canceled' }),
      },
      startSeenAt: known?.startSeenAt ?? (status === 'processing' ? answeredAt : undefined),
      endSeenAt: known?.endSeenAt ?? (isEnd ? answeredAt : undefined),
      unknownSeenAt: status === undefined ? (known?.unknownSeenAt ?? seenUnknown) : undefined,
      wasCanceled: known?.wasCanceled ?? false,
    })
  }

  /** Some services have one word for canceled and other ended tasks. */
  #looksCanceled({ status }: Shown): boolean {
    const { statuses } = this.#dialect.table
    return status !== undefined && statuses[status].word === statuses.canceled.word
  }

  #observeResult(
    { operation, taskId: id = '' }: FoundOperation,
    { answeredAt }: Seen,
    answer: { readonly status: number; readonly body: JsonObject },
  ): void {
    const observation = this.#observations.get(id)
    if (observation === undefined || operation.action !== 'result' || observation.last.status === 'canceled')
      return
    const { status: known } = observation.last
    this.#changed.add(id)
    const seen = readResult(this.#dialect, operation, { ...answer, known })
    if (seen === undefined) return
    const output = seen.output && (observation.last.output ?? seen.output)
    observation.last = {
      ...observation.last,
      unknownWord: undefined,
      error: undefined,
      ...withoutMissing({ ...seen, output }),
    }
    observation.endSeenAt ??= answeredAt
  }

  /** The service has rejected a poll because the task has failed. */
  #observeFailure(
    { operation, taskId: id }: FoundOperation,
    exchange: Seen,
    answer: { readonly status: number; readonly body: JsonObject },
  ): void {
    if (operation.action !== 'retrieve' || id === undefined || !this.#observations.has(id)) return
    const seen = readFailure(this.#dialect, operation, answer)
    if (seen !== undefined) this.#observe({ ...seen, id }, exchange)
  }

  /**
   * The service has accepted to cancel or delete a task, or has sent the file of a polled one, and its answer does not show
   * the task.
   */
  #observeEndByRequest({ operation, taskId: id = '' }: FoundOperation, exchange: Seen): void {
    const { answeredAt } = exchange
    const isFile = operation.action === 'retrieve' && operation.gives === 'file'
    if (isFile && this.#observations.has(id)) this.#observe({ id, status: 'succeeded' }, exchange)
    const isEnd =
      operation.action === 'cancel' || (operation.action === 'delete' && operation.keeps_record !== true)
    const observation = this.#observations.get(id)
    if (!isEnd || observation === undefined || observation.endSeenAt !== undefined) return
    observation.last = { ...observation.last, unknownWord: undefined, status: 'canceled' }
    observation.endSeenAt = answeredAt
    observation.wasCanceled = true
    this.#changed.add(id)
  }

  #isWebhook({ method, url }: SeenExchange): boolean {
    return method === 'POST' && !this.#origins.has(new URL(url).origin)
  }

  /** Webhooks are sent soon after what they announce. */
  #observeWebhook({ at, body = null }: SeenExchange): void {
    const seen = isJsonObject(body) ? readWebhook(this.#dialect, body) : undefined
    if (seen?.id !== undefined && this.#observations.has(seen.id)) this.#observe(seen, { at, answeredAt: at })
  }
}

/** A task that is shown with an unknown word to the end has ended with it. */
function withUnknownEnd(observation: TaskObservation): TaskObservation {
  const { last, unknownSeenAt, endSeenAt } = observation
  if (last.unknownWord === undefined || endSeenAt !== undefined) return observation
  return { ...observation, last: { ...last, status: endOfUnknown(last) }, endSeenAt: unknownSeenAt }
}

/** What the exchanges so far show about a task. */
interface TaskObservation {
  readonly order: SeenOrder | undefined
  /** When the request that created the task was sent, or the first answer that shows it. */
  readonly firstAt: number
  last: SeenTask
  /** When the first answer arrived that shows it in processing. */
  startSeenAt: number | undefined
  endSeenAt: number | undefined
  /** When the first of the last answers arrived whose word the dialect does not know. */
  unknownSeenAt: number | undefined
  /** Whether the service has accepted a request to cancel the task before its end. */
  wasCanceled: boolean
}

type Times = Pick<ObservedTask, 'createdAt' | 'startedAt' | 'endedAt'>

/** When a task was created, started and ended: as the service shows it, or as its client saw it. */
function timesOf({ last, firstAt, startSeenAt, endSeenAt }: TaskObservation): Times {
  const createdAt = last.createdAt ?? firstAt
  const isEnded = last.status !== undefined && isTerminal(last.status)
  const shownStart = last.startedAt ?? sum(createdAt, last.queueMs)
  const shownEnd = isEnded ? (last.endedAt ?? sum(shownStart, last.runMs)) : undefined
  const seenEnd = isEnded ? earliest(endSeenAt, sum(startSeenAt, last.runMs)) : undefined
  const endedAt = shownEnd ?? seenEnd
  const startedAt = shownStart ?? (isEnded ? sum(endedAt, negative(last.runMs)) : undefined) ?? startSeenAt
  const start = startedAt && Math.max(createdAt, startedAt)
  return { createdAt, startedAt: start, endedAt: endedAt && Math.max(start ?? createdAt, endedAt) }
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.round(one + other)
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? one : Math.min(one, other)
}
