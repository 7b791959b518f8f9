import type { Dialect } from '../dialect.js'
import { parametersIn } from '../path-tree.js'
import { fillPath, taskQueryOf } from '../requests/address.js'
import { isPoll } from '../requests/poll-request.js'
import type { DialectOperation } from '../table/dialect-table.generated.js'
import { taskParameterOf } from '../table/requests/task-parameter.js'
import { findCreate } from './find-operation.js'

/** Where a client reads a task. */
export interface TaskUrls {
  /** Shows its state at once. */
  readonly poll: string
  /** Shows its output, if `poll` never does. */
  readonly result: string | undefined
}

/**
 * Finds the URLs of a task from the request that has created it.
 * @returns undefined if the request creates no task, or the service does not show it at such a URL
 */
export function taskUrls(
  dialect: Dialect,
  create: { readonly method: string; readonly url: URL },
  taskId: string,
): TaskUrls | undefined {
  const found = findCreate(dialect, create)
  if (found === undefined) return undefined
  const values = Object.fromEntries(
    Object.entries({ ...found.values, task_id: taskId }).map(([name, value]) => [
      name,
      encodeURIComponent(value),
    ]),
  )
  const urlOf = (fits: (operation: DialectOperation) => boolean) => {
    const path = nearestPath(dialect, fits, found.form.path, values)
    return path === undefined ? undefined : urlAt(dialect, create.url, found.before + fillPath(path, values))
  }
  const poll = urlOf(isPoll)
  if (poll === undefined) return undefined
  const isResult = ({ action, method }: DialectOperation) => action === 'result' && method === 'GET'
  return { poll, result: dialect.answers.hidesOutput ? urlOf(isResult) : undefined }
}

/** The path that has the longest start in common with that of the create operation, such as `/v1/videos`. */
function nearestPath(
  { table: { prefix = '', operations } }: Dialect,
  fits: (operation: DialectOperation) => boolean,
  createPath: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  return operations
    .filter((operation) => fits(operation) && hasIdInUrl(operation))
    .map((operation) => prefix + operation.path + taskQueryOf(operation))
    .filter((path) => parametersIn(path).every(({ name }) => Object.hasOwn(values, name)))
    .sort((one, other) => sharedSegments(other, createPath) - sharedSegments(one, createPath))[0]
}

/** Whether the URL of a GET request has the id of the task. */
function hasIdInUrl(operation: DialectOperation): boolean {
  const part = taskParameterOf(operation)?.part ?? 'path'
  return operation.method === 'GET' && (part === 'path' || part === 'query')
}

function sharedSegments(one: string, other: string): number {
  const others = other.split('/')
  const different = one.split('/').findIndex((segment, index) => segment !== others[index])
  return different === -1 ? Infinity : different
}

/** The URL of a path of the dialect on the host of another URL, with its API key if the query has one. */
function urlAt({ hosts, key }: Dialect, { origin, searchParams }: URL, path: string): string | undefined {
  const { path: start = '' } = hosts.find((host) => host.origin === origin) ?? {}
  if (!path.startsWith(start)) return undefined
  const url = new URL(origin + path.slice(start.length))
  const value = key.query === undefined ? null : searchParams.get(key.query)
  if (key.query !== undefined && value !== null) url.searchParams.set(key.query, value)
  return url.href
}
