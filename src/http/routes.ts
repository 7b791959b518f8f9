import type { Action, FixedAction } from '../dialects/action.js'
import type { Dialect } from '../dialects/dialect.js'
import { type Dialects, firstSegment } from '../dialects/dialects.js'
import { EXTENSIONS } from '../engine/assets/asset.js'
import { isOfControl, type Reply } from '../exchange/exchange.js'
import { createTask } from './handlers/create-task.js'
import { allowPages, downloadFile } from './handlers/download-file.js'
import { listTasks } from './handlers/list-tasks.js'
import { nextParts, streamTask } from './handlers/live-task.js'
import { cancelTask, deleteTask, retrieveTask, taskResult } from './handlers/one-task.js'
import { ownFile } from './handlers/own-file.js'
import type { Operation, Route, ServiceExchange, ServiceOperation } from './operation.js'
import { type RouteMatch, Router } from './router.js'

/** Loaded on first use, because few clients upload files. */
const loadUploads = () => import('./uploads/index.js')

const downloadUpload: Operation = {
  id: 'files.download',
  authenticated: false,
  run: async (exchange) => (await loadUploads()).downloadUpload(exchange),
}

const receiveUpload: ServiceOperation = {
  id: 'files.upload',
  authenticated: false,
  run: async (exchange) => (await loadUploads()).receiveUpload(exchange),
}

/** Loaded on first use, because few clients register receivers. */
const loadReceivers = () => import('./receivers/index.js')

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

/** The operations of a dialect, and its output files. */
export function routesOf(dialect: Dialect): readonly Route[] {
  const routes = dialect.routes.map(({ methods, ...route }) => ({
    ...route,
    dialect,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, action]) => [method, operationOf(action)]),
    ),
  }))
  const { forward } = dialect
  const forwarded = forward && [{ path: forward.path, forward: forward.header, dialect, methods: {} }]
  return [...routes, ...(forwarded ?? []), fileRouteOf(dialect)]
}

function fileRouteOf(dialect: Dialect): Route {
  return {
    path: '/files/{task_id}/{file}',
    dialect,
    params: [dialect.taskIds.pattern, new RegExp(`^\\d+\\.(?:${EXTENSIONS.join('|')})$`)],
    methods: { GET: downloadFile, OPTIONS: allowPages('GET, HEAD, OPTIONS') },
  }
}

function operationOf(action: Action): ServiceOperation {
  switch (action.operation) {
    case 'tasks.create':
      return createTask(action)
    case 'tasks.list':
      return listTasks(action)
    case 'tasks.retrieve':
      return retrieveTask(action, action.stream && streamTask(action.stream.action, action.owns))
    case 'tasks.result':
      return taskResult(action)
    case 'tasks.cancel':
      return cancelTask(action)
    case 'tasks.delete':
      return deleteTask(action)
    case 'tasks.stream':
      return 'encode' in action ? nextParts(action) : streamTask(action)
    case 'files.download':
      return ownFile(action)
    case 'files.upload':
      return uploading(action, ({ keepUpload }, exchange) => keepUpload(exchange, action))
    case 'files.retrieve':
    case 'files.delete':
      return uploading(action, ({ oneUpload }, exchange) => oneUpload(exchange, action))
    case 'files.list':
      return uploading(action, ({ listUploads }, exchange) => listUploads(exchange, action))
    case 'webhooks.create':
    case 'webhooks.retrieve':
    case 'webhooks.list':
    case 'webhooks.update':
    case 'webhooks.delete':
    case 'webhooks.ping':
    case 'webhooks.rotate_secret':
      return {
        id: action.operation,
        action,
        authenticated: true,
        run: async (exchange) => (await loadReceivers()).answerAboutReceivers(exchange, action),
      }
    case 'service.info':
    case 'tasks.cancel_queued':
      return fixedAnswer(action)
  }
}

type UploadsModule = Awaited<ReturnType<typeof loadUploads>>

function uploading(
  action: Action,
  run: (module: UploadsModule, exchange: ServiceExchange) => Promise<Reply>,
): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    run: async (exchange) => run(await loadUploads(), exchange),
  }
}

/** The route of a path, and its wire format. */
export interface Destination {
  /** Undefined if no route has the path. */
  readonly match: RouteMatch | undefined
  /** The format of errors, too; undefined in the control API. */
  readonly dialect: Dialect | undefined
}

/** Finds the operations of all dialects, and those that no dialect has. */
export class Routes {
  readonly #main: Dialect
  readonly #router: Router
  readonly #routers = new WeakMap<Dialect, Router>()

  /**
   * @param main the dialect at the root
   * @param others the routes that no dialect has, such as those of the control API
   */
  constructor(main: Dialect, others: readonly Route[]) {
    this.#main = main
    this.#router = new Router([...routesOf(main), ...others])
  }

  /** Finds the route of the main dialect, or the one that no dialect has. */
  findMain(path: string): RouteMatch | undefined {
    return this.#router.find(path)
  }

  /**
   * Finds where a path leads.
   * @param path still percent-encoded, without the query
   * @param dialects those of the simulator; the ones that the path may belong to are loaded
   */
  find(path: string, dialects: Dialects): Destination {
    if (isOfControl(path)) return { match: this.#router.find(path), dialect: undefined }
    const { root } = dialects
    if (root !== undefined && !ABOVE_ROOT.test(path)) {
      const match = this.#routerOf(root).find(path)
      if (match !== undefined) return { match, dialect: root }
    }
    const match = this.#router.find(path)
    if (match !== undefined) return { match, dialect: this.#main }
    return this.#findOther(path, dialects) ?? { match: undefined, dialect: root ?? this.#main }
  }

  #findOther(path: string, dialects: Dialects): Destination | undefined {
    const name = firstSegment(path)
    const named = dialects.get(name)
    if (named !== undefined && named !== this.#main)
      return { match: this.#routerOf(named).find(path, 1 + name.length), dialect: named }
    if (name !== 'files') return undefined
    for (const dialect of dialects.loaded()) {
      const match = this.#routerOf(dialect).find(path)
      if (match !== undefined) return { match, dialect }
    }
    return undefined
  }

  #routerOf(dialect: Dialect): Router {
    const known = this.#routers.get(dialect)
    if (known !== undefined) return known
    const router = new Router(routesOf(dialect))
    this.#routers.set(dialect, router)
    return router
  }
}

/** Paths of the main dialect, which a dialect at the root does not replace. */
const ABOVE_ROOT = /^\/(?:api\/v1\/tasks?|files)(?:\/|$)/

/** Answers without regard to tasks. */
function fixedAnswer(action: FixedAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: action.isPublic !== true,
    run: (exchange) => action.encode(exchange),
  }
}
