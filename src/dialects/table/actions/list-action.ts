import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { pageTexts } from '../../../http/exchange/page-reply.js'
import { evictionHint, invalid } from '../../../http/exchange/problem.js'
import { jsonText } from '../../../http/exchange/reply.js'
import type { ListAction } from '../../action.js'
import type { Call } from '../../call.js'
import { taskWriter } from '../answers/task-writer.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { ListTable } from '../model/operation-table.js'
import { baseOf, mountOf, type OperationPlace } from '../requests/operation-place.js'
import { compileTemplate, namesIn, type Values } from '../template/compile.js'
import { linksOf, type PageLinks } from './list-links.js'
import { readListQuery } from './list-query.js'

/** Stands for the tasks in the text of a page. */
const MARK = '\0tasks'
const MARK_TEXT = JSON.stringify(MARK)

interface PageScope {
  readonly count: number
  readonly limit: number
  readonly offset: number
  readonly firstId: string | undefined
  readonly lastId: string | undefined
  readonly base: string
  /** The URL of this page. */
  url(): URL
  readonly links: PageLinks
}

/** The values in the template of a list. */
export const PAGE_VALUES = {
  tasks: () => MARK,
  count: ({ count }) => count,
  limit: ({ limit }) => limit,
  offset: ({ offset }) => offset,
  has_more: ({ links }) => links.older !== undefined,
  next_cursor: ({ links, lastId }) => (links.older === undefined ? undefined : lastId),
  first_id: ({ firstId }) => firstId,
  last_id: ({ lastId }) => lastId,
  url: (scope) => scope.url().href,
  next_url: (scope) => urlOfPage(scope.url(), scope.links.older),
  newer_url: (scope) => urlOfPage(scope.url(), scope.links.newer),
  base: ({ base }) => base,
} satisfies Values<PageScope>

/** Lists tasks as a table describes. */
export function listAction(table: DialectTable, list: ListTable, place: OperationPlace): ListAction {
  const { after, before } = list
  const read = compileTemplate<PageScope>(list.answer, PAGE_VALUES)
  const write = taskWriter(table, place, list.item)
  const cursorForm = cursorFormOf(list)
  return {
    operation: 'tasks.list',
    decode: (call) => readListQuery(call, table, list, place),
    async encode(page, query, call) {
      const { texts, items } = await pageTexts({
        items: page.tasks,
        hasMore: page.hasMore,
        textOf: (task) => write(call, task),
        cursorOf: ({ id }) => id,
      })
      const links = linksOf(table, list, { page, query, items, call })
      const body = read({
        count: items.length,
        limit: query.limit,
        offset: query.skip ?? 0,
        firstId: items[0]?.id,
        lastId: items.at(-1)?.id,
        base: baseOf(call, place),
        url: () => urlOf(call, place),
        links,
      })
      const text = withTasks(body, texts)
      const { set } = (query.before === undefined ? links.older : links.newer) ?? {}
      return { reply: jsonText(list.status ?? 200, text), items, nextCursor: set?.[1] }
    },
    unknownCursor: (query, { sim }) =>
      invalid(
        'query parameter',
        (query.before === undefined ? after : before) ?? '',
        query.before ?? query.after,
        cursorForm,
        evictionHint(sim),
      ),
  }
}

/** What a cursor must be: the value of a field of an earlier page, if pages have one, or the id of a task. */
function cursorFormOf({ answer }: ListTable): string {
  const field = Object.entries(isJsonObject(answer) ? answer : {}).find(([, template]) =>
    namesIn(template).has('next_cursor'),
  )
  return field === undefined
    ? 'the id of one of your own tasks'
    : `the \`${field[0]}\` of a page that you got, or one of your own tasks' ids`
}

function urlOf(call: Call, place: OperationPlace): URL {
  const { path, query } = call.request
  const rest = path.slice(mountOf(call, place).length)
  return new URL(`${baseOf(call, place)}${rest}${query === '' ? '' : `?${query}`}`)
}

function urlOfPage(url: URL, link: PageLinks['older']): string | undefined {
  if (link === undefined) return undefined
  const page = new URL(url)
  if (link.drop !== undefined) page.searchParams.delete(link.drop)
  page.searchParams.set(...link.set)
  return page.href
}

function withTasks(body: JsonValue | undefined, texts: readonly string[]): string {
  return JSON.stringify(body ?? {}).replace(MARK_TEXT, () => `[${texts.join(',')}]`)
}
