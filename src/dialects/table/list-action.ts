import type { JsonValue } from '../../engine/json.js'
import { numberIn } from '../../http/exchange/page-query.js'
import { pageTexts } from '../../http/exchange/page-reply.js'
import { evictionHint, invalid } from '../../http/exchange/problem.js'
import { jsonText } from '../../http/exchange/reply.js'
import type { ListAction, PageQuery } from '../action.js'
import type { Call } from '../call.js'
import { baseOf, mountOf } from './base-of.js'
import type { DialectTable } from './dialect-table.js'
import type { OperationPlace } from './operation-place.js'
import type { ListTable } from './operation-table.js'
import { taskWriter } from './task-writer.js'
import { compileTemplate, type Values } from './template/compile.js'

/** Stands for the tasks in the text of a page. */
const MARK = '\0tasks'
const MARK_TEXT = JSON.stringify(MARK)
const MOST_SKIPPED = 999_999_999

interface PageScope {
  readonly count: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | undefined
  readonly firstId: string | undefined
  readonly lastId: string | undefined
  readonly base: string
  /** The URL of this page. */
  readonly url: URL
  /** The query parameter of the next page, and its value. */
  readonly next: readonly [name: string, value: string] | undefined
}

/** The values in the template of a list. */
export const PAGE_VALUES = {
  tasks: () => MARK,
  count: ({ count }) => count,
  limit: ({ limit }) => limit,
  offset: ({ offset }) => offset,
  has_more: ({ next }) => next !== undefined,
  next_cursor: ({ nextCursor }) => nextCursor,
  first_id: ({ firstId }) => firstId,
  last_id: ({ lastId }) => lastId,
  url: ({ url }) => url.href,
  next_url: ({ url, next }) => next && urlWith(url, ...next),
  base: ({ base }) => base,
} satisfies Values<PageScope>

/** Lists tasks as a table describes. */
export function listAction(table: DialectTable, list: ListTable, place: OperationPlace): ListAction {
  const { after } = list
  const read = compileTemplate<PageScope>(list.answer, PAGE_VALUES)
  const write = taskWriter(table, place, list.item)
  return {
    operation: 'tasks.list',
    decode: ({ request }) => queryOf(new URLSearchParams(request.query), list),
    async encode(page, { skip = 0, limit: size }, call) {
      const { texts, items, nextCursor } = await pageTexts({
        items: page.tasks,
        hasMore: page.hasMore,
        textOf: (task) => write(call, task),
        cursorOf: ({ id }) => id,
      })
      const next = nextCursor === undefined ? undefined : nextOf(list, nextCursor, skip + items.length)
      const body = read({
        count: items.length,
        limit: size,
        offset: skip,
        nextCursor,
        firstId: items[0]?.id,
        lastId: items.at(-1)?.id,
        base: baseOf(call, place),
        url: urlOf(call, place),
        next,
      })
      const text = withTasks(body, texts)
      return { reply: jsonText(list.status ?? 200, text), items, nextCursor: next?.[1] }
    },
    unknownCursor: (query, { sim }) =>
      invalid(
        'query parameter',
        after ?? '',
        query.after,
        'the id of one of your own tasks',
        evictionHint(sim),
      ),
  }
}

function queryOf(query: URLSearchParams, { limit = {}, offset, after }: ListTable): PageQuery {
  const { parameter = 'limit', default: size = 20, max = 100 } = limit
  return {
    limit: numberIn(query, parameter, { min: 1, max, default: size }),
    after: (after && query.get(after)) ?? undefined,
    skip: offset === undefined ? 0 : numberIn(query, offset, { min: 0, max: MOST_SKIPPED, default: 0 }),
  }
}

function nextOf({ after, offset }: ListTable, cursor: string, skip: number): PageScope['next'] {
  if (after !== undefined) return [after, cursor]
  return offset === undefined ? undefined : [offset, String(skip)]
}

function urlOf(call: Call, place: OperationPlace): URL {
  const { path, query } = call.request
  const rest = path.slice(mountOf(call, place).length)
  return new URL(`${baseOf(call, place)}${rest}${query === '' ? '' : `?${query}`}`)
}

function urlWith(url: URL, name: string, value: string): string {
  const next = new URL(url)
  next.searchParams.set(name, value)
  return next.href
}

function withTasks(body: JsonValue | undefined, texts: readonly string[]): string {
  return JSON.stringify(body ?? {}).replace(MARK_TEXT, () => `[${texts.join(',')}]`)
}
