import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { answeredTask } from '../../engine/tasks/answered-task.js'
import type { Dialect } from '../dialect.js'
import { fillPath, pathValues, requiredHeaders } from '../requests/address.js'
import type { ServiceRequest } from '../requests/service-request.js'
import type { ListOperation } from '../table/dialect-table.generated.js'
import { readBack } from './read-back.js'

/** How a service lists tasks. */
export interface ListForm
  extends Pick<ListOperation, 'answer' | 'limit' | 'offset' | 'page' | 'after' | 'item'> {
  /** With the prefix of the service. */
  readonly path: string
}

/** A service, and an API key for it. */
interface Service {
  readonly base: string
  readonly key: string
}

/** A page of the tasks of a service, newest first. */
export interface SeenPage {
  /** The tasks as the service shows them. */
  readonly tasks: readonly JsonObject[]
  /** The request for the page with older tasks; undefined if this is the last one. */
  readonly next: ServiceRequest | undefined
}

const DEFAULT_LIMIT = 100
const CURSORS = ['has_more', 'next_cursor', 'last_id']

/** The lists of a service, one for each type of tasks; none if it has no list. */
export function listForms({ table }: Dialect): readonly ListForm[] {
  return table.operations.flatMap((operation) =>
    operation.action === 'list' ? [{ ...operation, path: `${table.prefix ?? ''}${operation.path}` }] : [],
  )
}

/**
 * Returns the request for the page with the newest tasks.
 * @param base the base URL of a client of the service; it may end anywhere in the path of the list
 */
export function firstPage(dialect: Dialect, form: ListForm, { base, key }: Service): ServiceRequest {
  const url = new URL(base)
  url.pathname = joinPaths(url.pathname, fillPath(form.path, pathValues(dialect, {})))
  url.searchParams.set(form.limit?.parameter ?? 'limit', String(form.limit?.max ?? DEFAULT_LIMIT))
  return { method: 'GET', url: url.href, headers: requiredHeaders(dialect, key) }
}

/** Appends a path whose start may be the end of the other one: `/proxy/v1` and `/v1/tasks` become `/proxy/v1/tasks`. */
function joinPaths(base: string, path: string): string {
  const [before, after] = [base, path].map((text) => text.split('/').filter((part) => part !== ''))
  const last = before?.at(-1)
  const shared = last === undefined ? 0 : (after ?? []).indexOf(last) + 1
  return `/${[...(before ?? []), ...(after ?? []).slice(shared)].join('/')}`
}

/** Reads a page. @param request the request to which the body is the answer */
export function readPage(
  dialect: Dialect,
  form: ListForm,
  request: ServiceRequest,
  body: JsonObject,
): SeenPage {
  const values = valuesIn(form, body)
  const listed = values.get('tasks')
  const tasks = (Array.isArray(listed) ? listed : []).filter(isJsonObject)
  const last = tasks.at(-1)
  const url =
    last &&
    nextUrl(form, new URL(request.url), values, {
      lastId: answeredTask(last, dialect.answers).id,
      count: tasks.length,
    })
  return { tasks, next: url && { ...request, url: url.href } }
}

type PageValues = ReadonlyMap<string, JsonValue>

/** The values of the placeholders in the template of a list. */
function valuesIn({ answer }: ListForm, body: JsonObject): PageValues {
  const values = new Map<string, JsonValue>()
  readBack(answer, body, (placeholder, value) => {
    for (const { value: operand } of placeholder) if ('name' in operand) values.set(operand.name, value)
  })
  return values
}

interface Shown {
  readonly lastId: string | undefined
  readonly count: number
}

function nextUrl(
  { after, offset, page, limit }: ListForm,
  url: URL,
  values: PageValues,
  { lastId, count }: Shown,
): URL | undefined {
  if (values.get('has_more') === false) return undefined
  const link = values.get('next_url')
  if (typeof link === 'string') return sameOrigin(new URL(link, url), url)
  if (after !== undefined) {
    // Without any of these values, the answer has no next page: a link that is null, for example.
    const isFollowed = CURSORS.some((name) => values.has(name))
    const cursor = values.get('next_cursor') ?? values.get('last_id') ?? lastId
    return isFollowed && typeof cursor === 'string' ? withParameter(url, after, cursor) : undefined
  }
  const isFull = count >= (limit?.max ?? DEFAULT_LIMIT)
  if (!values.has('has_more') && !isFull) return undefined
  if (page !== undefined) return withParameter(url, page, String(Number(url.searchParams.get(page) ?? 1) + 1))
  if (offset === undefined) return undefined
  return withParameter(url, offset, String(Number(url.searchParams.get(offset) ?? 0) + count))
}

/** An answer must not lead requests with an API key to another server. */
function sameOrigin(link: URL, { origin }: URL): URL | undefined {
  return link.origin === origin ? link : undefined
}

function withParameter(url: URL, name: string, value: string): URL {
  const page = new URL(url)
  page.searchParams.set(name, value)
  return page
}
