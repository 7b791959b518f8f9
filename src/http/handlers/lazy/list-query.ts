import type { Call } from '../../../dialects/call.js'
import { AnswerScope } from '../../../dialects/table/answers/answer-scope.js'
import type { DialectTable, ListOperation } from '../../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { allWords, wordsOf } from '../../../dialects/table/tasks/task-state.js'
import { STATUSES, type Task } from '../../../engine/tasks/task.js'
import type { ListQuery } from '../../../engine/tasks/task-store.js'
import { numberIn, wordIn } from '../../../exchange/pages.js'
import { invalid, Problem } from '../../../exchange/problem.js'

/** Which tasks of the API key to list. */
export type PageQuery = Omit<ListQuery, 'owner'>

const MOST_SKIPPED = 999_999_999
const MOST_PAGES = 999_999
const DAY = 86_400_000

/** The start of a cursor of newer tasks, if one query parameter holds both kinds. No id of a task has a dot. */
const NEWER = 'newer.'

/**
 * Reads which tasks a request asks for.
 * @throws Problem 400 if the value of a parameter is not valid, or both cursors are given
 */
export function readListQuery(call: Call, list: ListOperation, endpoint: Endpoint): PageQuery {
  const { limit: { parameter = 'limit', default: size = 20, max = 100 } = {} } = list
  const query = new URLSearchParams(call.request.query)
  const limit = numberIn(query, parameter, { min: 1, max, default: size })
  return {
    limit,
    skip: skipIn(query, list, limit),
    ...(list.order !== undefined && { ascending: wordIn(query, list.order, ['asc', 'desc']) === 'asc' }),
    ...cursorIn(query, list),
    ...filterIn(query, list, endpoint.table.statuses, (task) => new AnswerScope(endpoint, task, call).word),
  }
}

function skipIn(query: URLSearchParams, { offset, page }: ListOperation, limit: number): number {
  if (page !== undefined) return (numberIn(query, page, { min: 1, max: MOST_PAGES, default: 1 }) - 1) * limit
  return offset === undefined ? 0 : numberIn(query, offset, { min: 0, max: MOST_SKIPPED, default: 0 })
}

/** The value of the parameter `before` that requests the tasks which are newer than a task. */
export function newerCursor({ after, before }: ListOperation, id: string): string {
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
