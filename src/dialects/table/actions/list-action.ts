import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { STATUSES, type Task } from '../../../engine/tasks/task.js'
import type { ListQuery, TaskPage } from '../../../engine/tasks/task-store.js'
import { numberIn, wordIn } from '../../../exchange/page-query.js'
import { pageTexts } from '../../../exchange/page-reply.js'
import { evictionHint, invalid, Problem } from '../../../exchange/problem.js'
import { jsonText } from '../../../exchange/reply.js'
import type { ListAction, PageQuery } from '../../action.js'
import type { Call } from '../../call.js'
import { AnswerScope } from '../answers/answer-scope.js'
import { taskWriter } from '../answers/task-writer.js'
import type { DialectTable, ListOperation } from '../dialect-table.generated.js'
import { baseOf, mountOf, type OperationPlace } from '../requests/operation-place.js'
import { allWords, wordsOf } from '../tasks/task-state.js'
import { compileTemplate, namesIn, type Values } from '../template/compile.js'

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
export function listAction(table: DialectTable, list: ListOperation, place: OperationPlace): ListAction {
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
function cursorFormOf({ answer }: ListOperation): string {
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

/** How the query of a page changes to that of another page. */
interface PageLink {
  /** A parameter, and its new value. */
  readonly set: readonly [name: string, value: string]
  /** A parameter to remove. */
  readonly drop: string | undefined
}

/** The pages before and after a page. */
interface PageLinks {
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
function linksOf(table: DialectTable, list: ListOperation, shown: Shown): PageLinks {
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

function offsetLinks({ offset }: ListOperation, { page, query, items }: Shown): PageLinks {
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

const MOST_SKIPPED = 999_999_999
const DAY = 86_400_000

/** The start of a cursor of newer tasks, if one query parameter holds both kinds. No id of a task has a dot. */
const NEWER = 'newer.'

/**
 * Reads which tasks a request asks for.
 * @throws Problem 400 if the value of a parameter is not valid, or both cursors are given
 */
function readListQuery(
  call: Call,
  table: DialectTable,
  list: ListOperation,
  place: OperationPlace,
): PageQuery {
  const { limit: { parameter = 'limit', default: size = 20, max = 100 } = {}, offset } = list
  const query = new URLSearchParams(call.request.query)
  return {
    limit: numberIn(query, parameter, { min: 1, max, default: size }),
    skip: offset === undefined ? 0 : numberIn(query, offset, { min: 0, max: MOST_SKIPPED, default: 0 }),
    ...(list.order !== undefined && { ascending: wordIn(query, list.order, ['asc', 'desc']) === 'asc' }),
    ...cursorIn(query, list),
    ...filterIn(query, list, table.statuses, (task) => new AnswerScope(table, call, task, place).word),
  }
}

/** The value of the parameter `before` that requests the tasks which are newer than a task. */
function newerCursor({ after, before }: ListOperation, id: string): string {
  return before === after ? NEWER + id : id
}

function cursorIn(
  query: URLSearchParams,
  { after, before }: ListOperation,
): Pick<PageQuery, 'after' | 'before'> {
  const older = (after && query.get(after)) || undefined
  if (before === after)
    return older?.startsWith(NEWER) ? { before: older.slice(NEWER.length) } : { after: older }
  const newer = (before && query.get(before)) || undefined
  if (older === undefined || newer === undefined) return { after: older, before: newer }
  const message = `The query parameters \`${after}\` and \`${before}\` exclude each other. Use one of them.`
  throw new Problem('invalid_request', message, { param: before ?? '' })
}

type Condition = (task: Task) => boolean

type Filter = Pick<PageQuery, 'status' | 'model' | 'matches'>

function filterIn(
  query: URLSearchParams,
  { filters = {} }: ListOperation,
  statuses: DialectTable['statuses'],
  wordOf: (task: Task) => string,
): Filter {
  const { status, day, queued_only: queuedOnly } = filters
  const model = (filters.model && query.get(filters.model)) ?? undefined
  const isOnDay = day === undefined ? undefined : dayIn(query, day)
  if (queuedOnly !== undefined && wordIn(query, queuedOnly, ['true', 'false']) === 'true')
    return { status: 'queued', model, matches: isOnDay }
  const word = status === undefined ? undefined : wordIn(query, status, allWords(statuses))
  if (word === undefined) return { model, matches: isOnDay }
  const [first, ...others] = STATUSES.filter((each) => wordsOf(statuses, each).includes(word))
  const isOnlyWord = first !== undefined && new Set(wordsOf(statuses, first)).size === 1
  if (isOnlyWord && others.length === 0) return { status: first, model, matches: isOnDay }
  const hasWord: Condition = (task) => wordOf(task) === word
  return {
    status: others.length === 0 ? first : undefined,
    model,
    matches: (task) => hasWord(task) && isOnDay?.(task) !== false,
  }
}

/** Whether a task was created on the day in a query, in UTC. */
function dayIn(query: URLSearchParams, parameter: string): Condition | undefined {
  const value = query.get(parameter)
  if (value === null) return undefined
  const start = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(start)) throw invalid('query parameter', parameter, value, 'a day such as 2026-01-31')
  return ({ createdAt }) => createdAt >= start && createdAt < start + DAY
}
