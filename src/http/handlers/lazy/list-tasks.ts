import type { Call } from '../../../dialects/call.js'
import { taskText } from '../../../dialects/table/answers/task-text.js'
import type { ListOperation } from '../../../dialects/table/dialect-table.generated.js'
import {
  MARK,
  PAGE_VALUES,
  type PageLink,
  type PageLinks,
  type PageScope,
} from '../../../dialects/table/page-values.js'
import { baseOf, type Endpoint, mountOf } from '../../../dialects/table/requests/endpoint.js'
import { ownerOf } from '../../../dialects/table/tasks/objects.js'
import { compileTemplate, namesIn } from '../../../dialects/table/template/compile.js'
import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { ListQuery, TaskPage } from '../../../engine/tasks/task-store.js'
import { jsonText } from '../../../exchange/exchange.js'
import { pageTexts } from '../../../exchange/pages.js'
import { evictionHint, invalid } from '../../../exchange/problem.js'
import type { ServiceExchange, ServiceHandler, ServiceOperation } from '../../operation.js'
import { withRecordedItems } from '../../recorded-answer.js'
import { newerCursor, type PageQuery, readListQuery } from './list-query.js'

const MARK_TEXT = JSON.stringify(MARK)

/** Answers with a page of the tasks of the API key, newest first. */
export function listTasks(list: ListOperation, endpoint: Endpoint): ServiceHandler {
  const { status = 200, answer, item, after, before } = list
  const owns = ownerOf(endpoint.table)
  const read = compileTemplate<PageScope>(answer, PAGE_VALUES)
  const text = taskText(endpoint.table, { own: item })
  const cursorForm = cursorFormOf(list)
  return async (exchange) => {
    const { sim, key, note, dialect } = exchange
    const query = restricted(readListQuery(exchange, list, endpoint), owns)
    const page = sim.tasks.list({ ...query, owner: key, dialect: dialect.name })
    if (page === undefined) throw unknownCursor(query, exchange)
    const { texts, items } = await pageTexts({
      items: page.tasks,
      hasMore: page.hasMore,
      textOf: (task) => text.of(task, exchange, endpoint),
      cursorOf: ({ id }) => id,
    })
    let total: number | undefined
    const links = linksOf(list, { page, query, items, exchange })
    const body = read({
      count: items.length,
      limit: query.limit,
      offset: query.skip ?? 0,
      // The number of pages asks for it again.
      total() {
        total ??= totalOf(query, exchange)
        return total
      },
      firstId: items[0]?.id,
      lastId: items.at(-1)?.id,
      base: baseOf(exchange, endpoint),
      url: () => urlOf(exchange, endpoint),
      links,
    })
    const next = query.before === undefined ? links.older : links.newer
    note.observed = items.map(({ id, status }) => ({ id, status }))
    note.nextCursor = next?.set[1]
    const reply = jsonText(status, withTasks(body, texts))
    return items.some(({ plan }) => plan.recorded !== undefined)
      ? withRecordedItems(reply, items, exchange)
      : reply
  }

  function unknownCursor({ before: newer, after: older }: PageQuery, { sim }: ServiceExchange): Error {
    const parameter = newer === undefined ? after : before
    return invalid('query parameter', parameter ?? '', newer ?? older, cursorForm, evictionHint(sim.tasks))
  }
}

/** Restricts a query to the tasks that the operation is about. */
function restricted(query: PageQuery, owns: ServiceOperation['owns']): PageQuery {
  if (owns === undefined) return query
  return { ...query, matches: (task) => owns(task) && query.matches?.(task) !== false }
}

/** What a cursor must be: the value of a field of an earlier page, if pages have one, or the id of a task. */
function cursorFormOf({ answer }: ListOperation): string {
  const field = Object.entries(isJsonObject(answer) ? answer : {}).find(([, template]) =>
    namesIn(template).has('next_cursor'),
  )
  return field === undefined
    ? 'the id of one of your own tasks'
    : `the \`${field[0]}\` of a page that you got, or one of your own tasks' ids`
}

function urlOf(call: Call, endpoint: Endpoint): URL {
  const { path, query } = call.request
  const rest = path.slice(mountOf(call, endpoint).length)
  return new URL(`${baseOf(call, endpoint)}${rest}${query === '' ? '' : `?${query}`}`)
}

/** Replaces the mark of the tasks with their texts. */
function withTasks(body: JsonValue | undefined, texts: readonly string[]): string {
  return JSON.stringify(body ?? {}).replace(MARK_TEXT, () => `[${texts.join(',')}]`)
}

/** The number of tasks on all pages of a query. */
function totalOf({ status, model, matches }: PageQuery, { sim, key, dialect }: ServiceExchange): number {
  const all = { status, model, matches, owner: key, dialect: dialect.name, limit: Infinity }
  return sim.tasks.list(all)?.tasks.length ?? 0
}

interface Shown {
  readonly page: TaskPage
  readonly query: PageQuery
  /** The tasks of the page that fit into the answer. */
  readonly items: readonly Task[]
  readonly exchange: ServiceExchange
}

/** Finds the pages before and after a page of tasks. */
function linksOf(list: ListOperation, shown: Shown): PageLinks {
  if (list.after === undefined && list.before === undefined) return offsetLinks(list, shown)
  const { items } = shown
  const [first, last] = [items[0]?.id, items.at(-1)?.id]
  const { after, before } = list
  const hasOlder = after !== undefined && last !== undefined && isFollowed(shown, last)
  const hasNewer = before !== undefined && first !== undefined && isPreceded(shown, first)
  return {
    older: hasOlder ? { set: [after, last], drop: before } : undefined,
    newer: hasNewer ? { set: [before, newerCursor(list, first)], drop: after } : undefined,
  }
}

function offsetLinks({ offset, page: number }: ListOperation, { page, query, items }: Shown): PageLinks {
  const { skip = 0, limit } = query
  const hasOlder = page.hasMore || items.length < page.tasks.length
  if (number !== undefined) {
    const current = skip / limit + 1
    const link = (value: number): PageLink => ({ set: [number, String(value)], drop: undefined })
    return {
      older: hasOlder ? link(current + 1) : undefined,
      newer: current > 1 ? link(current - 1) : undefined,
    }
  }
  if (offset === undefined) return { older: undefined, newer: undefined }
  const link = (value: number): PageLink => ({ set: [offset, String(value)], drop: undefined })
  return {
    older: hasOlder ? link(skip + items.length) : undefined,
    newer: skip > 0 ? link(Math.max(0, skip - limit)) : undefined,
  }
}

/** Whether older tasks follow the last task of a page. */
function isFollowed(shown: Shown, last: string): boolean {
  const { page, query, items } = shown
  if (query.before !== undefined) return hasAny(shown, { after: last })
  return page.hasMore || items.length < page.tasks.length
}

/** Whether newer tasks precede the first task of a page. */
function isPreceded(shown: Shown, first: string): boolean {
  const { page, query } = shown
  if (query.before !== undefined) return page.hasMore
  return query.after !== undefined && hasAny(shown, { before: first })
}

/** Whether the filters of a query match a task on one side of another task. */
function hasAny({ query, exchange }: Shown, side: Pick<ListQuery, 'after' | 'before'>): boolean {
  const { sim, key, dialect } = exchange
  const { status, model, matches, ascending } = query
  const filter = { status, model, matches, ascending, owner: key, dialect: dialect.name }
  return (sim.tasks.list({ ...filter, ...side, limit: 1 })?.tasks.length ?? 0) > 0
}
