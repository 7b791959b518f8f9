import type { ListQuery, TaskPage } from '../../../engine/tasks/list-query.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { PageQuery } from '../../action.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { ListTable } from '../model/operation-table.js'
import { newerCursor } from './list-query.js'

/** How the query of a page changes to that of another page. */
interface PageLink {
  /** A parameter, and its new value. */
  readonly set: readonly [name: string, value: string]
  /** A parameter to remove. */
  readonly drop: string | undefined
}

/** The pages before and after a page. */
export interface PageLinks {
  /** The page with older tasks; undefined if there are none. */
  readonly older: PageLink | undefined
  /** The page with newer tasks; undefined if there are none, or the service has no such link. */
  readonly newer: PageLink | undefined
}

interface Shown {
  readonly page: TaskPage
  readonly query: PageQuery
  /** The tasks of the page that fit into the answer. */
  readonly items: readonly Task[]
  readonly call: Call
}

/** Finds the pages before and after a page of tasks. */
export function linksOf(table: DialectTable, list: ListTable, shown: Shown): PageLinks {
  if (list.after === undefined && list.before === undefined) return offsetLinks(list, shown)
  const { items } = shown
  const [first, last] = [items[0]?.id, items.at(-1)?.id]
  const { after, before } = list
  const hasOlder = after !== undefined && last !== undefined && isFollowed(table, shown, last)
  const hasNewer = before !== undefined && first !== undefined && isPreceded(table, shown, first)
  return {
    older: hasOlder ? { set: [after, last], drop: before } : undefined,
    newer: hasNewer ? { set: [before, newerCursor(list, first)], drop: after } : undefined,
  }
}

function offsetLinks({ offset }: ListTable, { page, query, items }: Shown): PageLinks {
  const { skip = 0, limit } = query
  if (offset === undefined) return { older: undefined, newer: undefined }
  const link = (value: number): PageLink => ({ set: [offset, String(value)], drop: undefined })
  const hasOlder = page.hasMore || items.length < page.tasks.length
  return {
    older: hasOlder ? link(skip + items.length) : undefined,
    newer: skip > 0 ? link(Math.max(0, skip - limit)) : undefined,
  }
}

/** Whether older tasks follow the last task of a page. */
function isFollowed(table: DialectTable, shown: Shown, last: string): boolean {
  const { page, query, items } = shown
  if (query.before !== undefined) return hasAny(table, shown, { after: last })
  return page.hasMore || items.length < page.tasks.length
}

/** Whether newer tasks precede the first task of a page. */
function isPreceded(table: DialectTable, shown: Shown, first: string): boolean {
  const { page, query } = shown
  if (query.before !== undefined) return page.hasMore
  return query.after !== undefined && hasAny(table, shown, { before: first })
}

/** Whether the filters of a query match a task on one side of another task. */
function hasAny(
  { name }: DialectTable,
  { query, call: { sim, key } }: Shown,
  side: Pick<ListQuery, 'after' | 'before'>,
): boolean {
  const { status, model, matches, ascending } = query
  const page = sim.tasks.list({
    status,
    model,
    matches,
    ascending,
    ...side,
    owner: key,
    dialect: name,
    limit: 1,
  })
  return page !== undefined && page.tasks.length > 0
}
