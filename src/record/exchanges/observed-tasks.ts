import type { Dialect } from '../../dialects/dialect.js'
import { matchPath, pathOf } from '../../dialects/reading/match-path.js'
import { type SeenOrder, seeOrder } from '../../dialects/reading/see-order.js'
import { seeTask } from '../../dialects/reading/see-task.js'
import type { SeenTask } from '../../dialects/reading/seen-task.js'
import { excerptOf } from '../../engine/excerpt.js'
import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { isTerminal } from '../../engine/tasks/task.js'
import { readRejection } from '../../http/exchange/reply.js'
import type { ObservedTask } from '../history/observed-task.js'
import { withoutMissing } from '../without-missing.js'
import type { SeenExchange } from './exchange.js'

/** Characters of a message that has no known form. */
const LONGEST_MESSAGE = 200

/** What the exchanges so far show about a task. */
interface Sight {
  readonly order: SeenOrder | undefined
  /** When the request that created the task was sent, or the first answer that shows it. */
  readonly firstAt: number
  last: SeenTask
  startSeenAt: number | undefined
  endSeenAt: number | undefined
}

/**
 * Finds the tasks of a service in the exchanges of its clients. If the service does not show when a task started or
 * ended, uses the time of the first answer that shows it, which is up to one polling interval late.
 */
export class ObservedTasks {
  readonly #dialect: Dialect
  readonly #sights = new Map<string, Sight>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Adds an exchange. They come in the order of their answers. */
  add(exchange: SeenExchange): void {
    const { status, body = null } = exchange.answer ?? {}
    if (status === undefined || !isJsonObject(body)) return
    const id = resultOf(this.#dialect, exchange)
    if (id !== undefined) this.#seeResult(id, status, body)
    else if (status < 300) {
      const order = this.#orderIn(exchange)
      for (const shown of this.#shownIn(body)) this.#see(shown, exchange, order)
    }
  }

  /** The tasks whose model is known, in the order in which they were seen first. */
  *tasks(): Generator<ObservedTask> {
    for (const [id, sight] of this.#sights) {
      const { order, last, firstAt, startSeenAt, endSeenAt } = sight
      const model = order?.model ?? last.model
      if (model === undefined || last.status === undefined) continue
      const createdAt = last.createdAt ?? firstAt
      const startedAt = last.startedAt ?? startSeenAt
      const endedAt = isTerminal(last.status) ? (last.endedAt ?? endSeenAt) : undefined
      yield {
        id,
        dialect: this.#dialect.name,
        model,
        kind: order?.kind ?? last.kind,
        status: last.status,
        createdAt,
        startedAt: startedAt && Math.max(createdAt, startedAt),
        endedAt: endedAt && Math.max(createdAt, startedAt ?? createdAt, endedAt),
        error: last.error,
        costUsd: last.cost,
        input: order?.input ?? last.input,
        output: last.output,
      }
    }
  }

  #orderIn({ method, url, headers, body = null }: SeenExchange): SeenOrder | undefined {
    if (!isJsonObject(body)) return undefined
    const header = (name: string) => headers[name.toLowerCase()]
    return seeOrder(this.#dialect, { method, url: new URL(url), body, header })
  }

  /** The tasks in an answer: the task that it is or contains, or the tasks that it lists. */
  #shownIn(body: JsonObject): SeenTask[] {
    const { answers } = this.#dialect
    const listed = body[answers.list]
    const one = (answers.task === undefined ? undefined : body[answers.task]) ?? body
    return (Array.isArray(listed) ? listed : [one])
      .filter(isJsonObject)
      .map((task) => seeTask(this.#dialect, task))
  }

  #see(shown: SeenTask, { at, answeredAt }: SeenExchange, order: SeenOrder | undefined): void {
    const { id, status } = shown
    const known = id === undefined ? undefined : this.#sights.get(id)
    // The answer to a create request may not show the state.
    if (id === undefined || (status ?? known ?? order) === undefined) return
    const isEnd = status !== undefined && isTerminal(status)
    // An answer that arrives late does not undo the end.
    if (known?.endSeenAt !== undefined && !isEnd) return
    const isStarted = isEnd || status === 'processing'
    this.#sights.set(id, {
      order: known?.order ?? order,
      firstAt: known?.firstAt ?? at,
      last: { ...known?.last, ...withoutMissing(shown) },
      startSeenAt: known?.startSeenAt ?? (isStarted ? answeredAt : undefined),
      endSeenAt: known?.endSeenAt ?? (isEnd ? answeredAt : undefined),
    })
  }

  /** Reads the answer with the result: for some services, only this answer shows whether the task failed. */
  #seeResult(id: string, status: number, body: JsonObject): void {
    const sight = this.#sights.get(id)
    if (sight?.last.status !== 'succeeded') return
    if (status < 300) sight.last = { ...sight.last, output: sight.last.output ?? body }
    else if (hasOneWordForEnds(this.#dialect)) {
      const { code, message = excerptOf(body, LONGEST_MESSAGE) } = readRejection(body)
      sight.last = { ...sight.last, status: 'failed', error: { code, message } }
    }
  }
}

/** The id of the task whose result a request asks for; undefined if it asks for something else. */
function resultOf({ table, hosts }: Dialect, { method, url }: SeenExchange): string | undefined {
  for (const operation of table?.operations ?? []) {
    if (operation.action !== 'result' || operation.method !== method) continue
    const path = matchPath(`${table?.prefix ?? ''}${operation.path}`, pathOf(hosts, new URL(url)))
    if (path?.['task_id'] !== undefined) return path['task_id']
  }
  return undefined
}

function hasOneWordForEnds({ table }: Dialect): boolean {
  return table !== undefined && table.statuses.succeeded.word === table.statuses.failed.word
}
