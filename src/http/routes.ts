import type { Call } from '../dialects/call.js'
import type { Dialect } from '../dialects/dialect.js'
import { type Dialects, firstSegment } from '../dialects/dialects.js'
import { PathTree, parametersIn } from '../dialects/path-tree.js'
import type { DialectOperation, DialectTable } from '../dialects/table/dialect-table.generated.js'
import { endedApi } from '../dialects/table/ended.js'
import { endpointOf, pathsOf } from '../dialects/table/requests/endpoint.js'
import { requestReader } from '../dialects/table/requests/request-values.js'
import { taskParameterOf } from '../dialects/table/requests/task-parameter.js'
import { tableOf } from '../dialects/table/tasks/objects.js'
import { EXTENSIONS } from '../engine/assets/asset.js'
import type { JsonObject } from '../engine/json.js'
import { oncePer } from '../engine/recent.js'
import { isOfControl } from '../exchange/exchange.js'
import { allowPages } from './files/any-origin.js'
import { cancelTask } from './handlers/cancel-task.js'
import { checkRead } from './handlers/create-body.js'
import { createTask } from './handlers/create-task.js'
import { downloadFile } from './handlers/download-file.js'
import { lazyOperation } from './handlers/lazy-operation.js'
import { retrieveTask } from './handlers/retrieve-task.js'
import { readJsonObject } from './json-body.js'
import type { Route, ServiceOperation } from './operation.js'

/** The operations of a dialect, and its output files. */
export function routesOf(dialect: Dialect): readonly Route[] {
  const { table, forward } = dialect
  const methodsOf = new Map<string, Record<string, ServiceOperation>>()
  for (const operation of table.operations) {
    const methods = methodsOf.get(operation.path) ?? {}
    methods[operation.method] = {
      ...withTask(operationOf(table, operation), table, operation),
      ended: endedApi(table, operation.path),
    }
    methodsOf.set(operation.path, methods)
  }
  const routes = [...methodsOf].map(([below, methods]): Route => {
    const [path, ...aliases] = pathsOf(table, below)
    return { path, aliases, params: patternsOf(table, path), dialect, methods }
  })
  const forwarded = forward && { path: forward.path, forward: forward.header, dialect, methods: {} }
  return [...routes, ...(forwarded === undefined ? [] : [forwarded]), fileRouteOf(dialect)]
}

/** Adds how to read the id of the task, if it is not in the path. */
function withTask(
  compiled: ServiceOperation,
  table: DialectTable,
  operation: DialectOperation,
): ServiceOperation {
  const task = taskParameterOf(operation)
  if (task === undefined) return compiled
  const read = requestReader(task.template, endpointOf(table, (table.prefix ?? '') + operation.path))
  const idOf = (call: Call, body?: JsonObject) => {
    const id = read(call, body)
    return typeof id === 'string' ? id : ''
  }
  if (task.part !== 'body') return { ...compiled, taskOf: (call) => idOf(call) }
  return {
    ...compiled,
    taskInBody: async (exchange) => idOf(exchange, await readJsonObject(exchange)),
    run(exchange) {
      checkRead(exchange)
      return compiled.run(exchange)
    },
  }
}

/** Compiles an operation of a dialect file into its handler. */
function operationOf(table: DialectTable, operation: DialectOperation): ServiceOperation {
  const ofObject = tableOf(table, operation.object)
  const endpoint = endpointOf(ofObject, (table.prefix ?? '') + operation.path)
  switch (operation.action) {
    case 'create':
      return createTask(operation, endpoint)
    case 'retrieve':
      return retrieveTask(operation, endpoint)
    case 'cancel':
      return cancelTask(operation, endpoint)
    default: {
      const lazy = lazyOperation(operation, endpoint)
      return operation.object === 'any' ? { ...lazy, owns: undefined } : lazy
    }
  }
}

/** The patterns of the parameters of a path, if the table lists values of one. */
function patternsOf({ parameters = {} }: DialectTable, path: string): RegExp[] | undefined {
  const names = parametersIn(path).map(({ name }) => name)
  if (!names.some((name) => Object.hasOwn(parameters, name))) return undefined
  return names.map((name) => new RegExp(`^(?:${parameters[name]?.join('|') ?? '.*'})$`))
}

function fileRouteOf(dialect: Dialect): Route {
  return {
    path: '/files/{task_id}/{file}',
    dialect,
    params: [dialect.taskIds.pattern, new RegExp(`^\\d+\\.(?:${EXTENSIONS.join('|')})$`)],
    methods: { GET: downloadFile, OPTIONS: allowPages('GET, HEAD, OPTIONS') },
  }
}

/** Loaded on first use, because few clients upload files. */
const loadUploads = () => import('./uploads/signed-upload.js')

const downloadUpload: ServiceOperation = {
  id: 'files.download',
  authenticated: false,
  run: async (exchange) => (await loadUploads()).downloadUpload(exchange),
}

const receiveUpload: ServiceOperation = {
  id: 'files.upload',
  authenticated: false,
  run: async (exchange) => (await loadUploads()).receiveUpload(exchange),
}

/** The path of the files that clients have uploaded, and of those that they have announced. */
export const UPLOAD_ROUTE: Route = {
  path: '/files/uploads/{upload_id}/{name}',
  params: [/^[a-z0-9]{24}$/],
  methods: {
    GET: downloadUpload,
    PUT: receiveUpload,
    POST: receiveUpload,
    OPTIONS: allowPages('GET, HEAD, PUT, POST, OPTIONS'),
  },
}

/** The route of a path, and the values of its parameters. */
export interface RouteMatch {
  readonly route: Route
  readonly params: readonly string[]
  /** The id of the task that the path names. */
  readonly task: string | undefined
  /** The part of the path that has several forms, such as `/v1/task`; undefined if it has one form. */
  readonly form: string | undefined
}

/** Routes by their paths. */
export class RouteTree {
  readonly #tree: PathTree<{
    readonly route: Route
    /** The index of the parameter `{task_id}`; -1 if there is none. */
    readonly task: number
    readonly form: string | undefined
  }>

  constructor(routes: readonly Route[]) {
    this.#tree = new PathTree(
      routes.flatMap((route) => {
        const { aliases = [] } = route
        const task = parametersIn(route.path).findIndex(({ name }) => name === 'task_id')
        return [route.path, ...aliases].map((path) => {
          const form = aliases.length === 0 ? undefined : path.replace(/\/\{.*/, '')
          return [path, { route, task, form }] as const
        })
      }),
    )
  }

  /**
   * @param path still percent-encoded, without the query
   * @param from the index of the slash at which the path of the route starts
   */
  find(path: string, from = 0): RouteMatch | undefined {
    const found = this.#tree.find(path, from)
    if (found === undefined) return undefined
    const { route, task, form } = found.value
    const { params } = found
    if (route.params?.every((pattern, index) => pattern.test(params[index] ?? '')) === false) return undefined
    return { route, params, task: params[task], form }
  }
}

/** Where a path leads. */
export interface Destination {
  /** Undefined if no route has the path. */
  readonly match: RouteMatch | undefined
  /** The wire format of the answer, and of errors; undefined in the control API. */
  readonly dialect: Dialect | undefined
}

/** Finds the operations of all dialects, and those that no dialect has. */
export class Routes {
  readonly #main: Dialect
  readonly #tree: RouteTree

  /**
   * @param main the dialect at the root
   * @param others the routes that no dialect has, such as those of the control API
   */
  constructor(main: Dialect, others: readonly Route[]) {
    this.#main = main
    this.#tree = new RouteTree([...routesOf(main), ...others])
  }

  /** Finds the route of the main dialect, or the one that no dialect has. */
  findMain(path: string): RouteMatch | undefined {
    return this.#tree.find(path)
  }

  /**
   * Finds where a path leads.
   * @param path still percent-encoded, without the query
   * @param dialects those of the simulator; the ones that the path may belong to are loaded
   */
  find(path: string, dialects: Dialects): Destination {
    if (isOfControl(path)) return { match: this.#tree.find(path), dialect: undefined }
    const { root } = dialects
    if (root !== undefined && !ABOVE_ROOT.test(path)) {
      const match = treeOf(root).find(path)
      if (match !== undefined) return { match, dialect: root }
    }
    const match = this.#tree.find(path)
    if (match !== undefined) return { match, dialect: this.#main }
    return this.#findOther(path, dialects) ?? { match: undefined, dialect: root ?? this.#main }
  }

  #findOther(path: string, dialects: Dialects): Destination | undefined {
    const name = firstSegment(path)
    const named = dialects.get(name)
    if (named !== undefined && named !== this.#main)
      return { match: treeOf(named).find(path, 1 + name.length), dialect: named }
    if (name !== 'files') return undefined
    for (const dialect of dialects.loaded()) {
      const match = treeOf(dialect).find(path)
      if (match !== undefined) return { match, dialect }
    }
    return undefined
  }
}

const treeOf = oncePer((dialect: Dialect) => new RouteTree(routesOf(dialect)))

/** Paths of the main dialect, which a dialect at the root does not replace. */
const ABOVE_ROOT = /^\/(?:api\/v1\/tasks?|files)(?:\/|$)/
