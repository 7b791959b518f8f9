import type { JsonValue } from '../../engine/json.js'
import { oncePer } from '../../engine/recent.js'
import type { OperationName } from '../../engine/requests/operations.js'
import type { Dialect } from '../dialect.js'
import { decodePart, PathTree, parametersIn } from '../path-tree.js'
import { type CreateForm, createForms } from '../requests/create-form.js'
import type { DialectOperation, DialectTable } from '../table/dialect-table.generated.js'
import { NAMES } from '../table/operation-names.js'
import { pathsOf } from '../table/requests/endpoint.js'
import { taskParameterOf } from '../table/requests/task-parameter.js'
import { compileTemplate, type Values } from '../table/template/compile.js'

/** A request to a service, as far as it decides the operation. */
interface Sent {
  readonly method: string
  readonly url: URL | string
  /** By lower-case name; they may have the id of the task. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The JSON of the body, which may have the id of the task. */
  readonly body?: JsonValue | undefined
}

/** The values of the parameters in a path, decoded, by their names. */
export type PathValues = Readonly<Record<string, string>>

/** The operation that a request calls. */
export interface FoundOperation {
  readonly operation: DialectOperation
  readonly name: OperationName
  /** The path of the operation in the dialect. */
  readonly route: string
  /** The start of the path of the request, which is that of a proxy. */
  readonly before: string
  readonly values: PathValues
  /** The id of the task in the request, if the operation is about one. */
  readonly taskId: string | undefined
}

/** Finds the operation of a dialect that a request calls; undefined if it calls none. */
export function findOperation(dialect: Dialect, sent: Sent): FoundOperation | undefined {
  const { method, url } = sent
  const path = pathOf(dialect, url)
  const found = treesOf(dialect.table).get(method)?.findEnd(path)
  if (found === undefined) return undefined
  const { operation, route, parameters, readId } = found.value
  const values = Object.fromEntries(
    parameters.map((name, index) => [name, decodePart(found.params[index] ?? '')]),
  )
  const before = path.slice(0, found.start)
  return {
    operation,
    name: NAMES[operation.action],
    route,
    before,
    values,
    taskId: values['task_id'] ?? readId?.(sent),
  }
}

const VALUES = {
  query: ({ url }) => Object.fromEntries(new URL(url).searchParams),
  header: { find: ({ headers = {} }, name) => headers[name.toLowerCase()] },
  body: ({ body }) => body,
} satisfies Values<Sent>

/** Returns a function that reads the id of the task in the query, a header or the body; undefined if it is not there. */
function idReader(operation: DialectOperation): ((sent: Sent) => string | undefined) | undefined {
  const parameter = taskParameterOf(operation)
  if (parameter === undefined) return undefined
  const read = compileTemplate<Sent>(parameter.template, VALUES)
  return (sent) => {
    const id = read(sent)
    return typeof id === 'string' ? id : undefined
  }
}

/** The operation of a request that creates a task. */
interface FoundCreate extends Pick<FoundOperation, 'before' | 'values'> {
  readonly form: CreateForm
}

/** Finds the operation of a request that creates a task; undefined if the request creates none. */
export function findCreate(dialect: Dialect, sent: Sent): FoundCreate | undefined {
  const found = findOperation(dialect, sent)
  const form =
    found && createForms(dialect).find(({ path, method }) => path === found.route && method === sent.method)
  return form && { ...found, form }
}

/** The path of a URL in the routes of a service, some of whose hosts have a path of their own there. */
export function pathOf({ hosts }: Dialect, url: URL | string): string {
  const { origin, pathname } = new URL(url)
  const host = hosts.find((each) => each.origin === origin)
  return `${host?.path ?? ''}${pathname}`
}

interface Route {
  readonly operation: DialectOperation
  readonly route: string
  /** The names of the parameters, in the order of the path. */
  readonly parameters: readonly string[]
  /** Undefined if the id of the task is in the path, or there is none. */
  readonly readId: ReturnType<typeof idReader>
}

/** The operations by method and path. */
const treesOf = oncePer((table: DialectTable): ReadonlyMap<string, PathTree<Route>> => {
  const methods = new Set(table.operations.map(({ method }) => method))
  return new Map([...methods].map((method) => [method, new PathTree(routesOf(table, method))]))
})

function routesOf(table: DialectTable, method: string): (readonly [path: string, route: Route])[] {
  return table.operations
    .filter((operation) => operation.method === method)
    .flatMap((operation) => {
      const [route, ...aliases] = pathsOf(table, operation.path)
      const parameters = parametersIn(route).map(({ name }) => name)
      const found = { operation, route, parameters, readId: idReader(operation) }
      return [route, ...aliases].map((path) => [path, found] as const)
    })
}
