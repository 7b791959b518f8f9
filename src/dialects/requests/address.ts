import { MAIN_DIALECT } from '../built-in.js'
import type { Dialect } from '../dialect.js'
import { type PathParameter, parametersIn, pathParts } from '../path-tree.js'
import type { DialectOperation } from '../table/dialect-table.generated.js'
import { taskParameterOf } from '../table/requests/task-parameter.js'
import type { Destination } from './service-request.js'

/** Where requests to a path of a service go: the host, and the path there. */
export interface Address {
  readonly origin: string
  readonly path: string
}

/**
 * Finds where a path of a service is: on a server below the name of the dialect, else on the service's own host.
 * @param path with the prefix
 */
export function addressOf({ name, hosts }: Dialect, path: string, { origin, root }: Where): Address {
  const isServer = origin !== '' && !hosts.some((host) => host.origin === origin)
  if (isServer || hosts.length === 0) {
    const isAtRoot = name === MAIN_DIALECT.name || name === root || !isServer
    return { origin, path: isAtRoot ? path : `/${name}${path}` }
  }
  const [host] = hosts
    .filter((host) => path.startsWith(`${host.path}/`))
    .sort((one, other) => other.path.length - one.path.length)
  return host === undefined ? { origin, path } : { origin: host.origin, path: path.slice(host.path.length) }
}

type Where = Pick<Destination, 'origin' | 'root'>

/** The values of the parameters in a path, in their order, as {@link fillPath} writes them. */
export function paramsOf(path: string, values: Readonly<Record<string, string>>): readonly string[] {
  return parametersIn(path).map((parameter) => fill(parameter, values))
}

/**
 * Fills the parameters of a path. A parameter without a value becomes `any`.
 * @param values percent-encoded; one for several segments contains slashes
 */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return pathParts(path)
    .map((part) => (typeof part === 'string' ? part : fill(part, values)))
    .join('')
}

function fill({ name, isRest }: PathParameter, values: Readonly<Record<string, string>>): string {
  const value = values[name] ?? 'any'
  return isRest ? value.replaceAll('%2F', '/') : value
}

/** The query of a request about a task, as a path template; empty if the id of the task is elsewhere. */
export function taskQueryOf(operation: DialectOperation): string {
  const parameter = taskParameterOf(operation)
  return parameter?.part === 'query' ? `?${parameter.name}={task_id}` : ''
}

/** Encodes values for the parameters of a path, and adds the first value of each other parameter with listed values. */
export function pathValues(
  { table }: Dialect,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const listed = Object.entries(table.parameters ?? {}).map(([name, [first = '']]) => [name, first] as const)
  const all = { ...Object.fromEntries(listed), ...values }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, encodeURIComponent(value)]))
}

/** The headers that every request to a service must have. */
export function requiredHeaders(
  { key: { header, scheme }, requiredHeaders = new Map() }: Dialect,
  key: string,
): Readonly<Record<string, string>> {
  return {
    [header]: scheme === undefined ? key : `${scheme} ${key}`,
    ...Object.fromEntries([...requiredHeaders.values()].map((name) => [name, 'any'])),
  }
}
