import type { Action, Dialect } from '../dialects/dialect.js'
import { EXTENSIONS } from '../engine/assets/asset.js'
import { isOfControl } from './exchange/exchange.js'
import { createTask } from './handlers/create-task.js'
import { allowPages, downloadFile } from './handlers/download-file.js'
import { downloadUpload } from './handlers/download-upload.js'
import { listTasks } from './handlers/list-tasks.js'
import { cancelTask, retrieveTask } from './handlers/one-task.js'
import type { Route, ServiceOperation } from './operation.js'
import { type RouteMatch, Router } from './router.js'

/** The path of the output files of a dialect. */
export function fileRouteOf({ taskIds }: Dialect): Route {
  return {
    path: '/files/{task_id}/{file}',
    params: [taskIds.pattern, new RegExp(`^\\d+\\.(?:${EXTENSIONS.join('|')})$`)],
    methods: { GET: downloadFile, OPTIONS: allowPages },
  }
}

/** The path of the files that clients have uploaded. */
export const UPLOAD_ROUTE: Route = {
  path: '/files/uploads/{upload_id}/{name}',
  params: [/^[a-z0-9]{24}$/],
  methods: { GET: downloadUpload, OPTIONS: allowPages },
}

/** The operations of a dialect. */
export function routesOf(dialect: Dialect): readonly Route[] {
  return dialect.routes.map(({ methods, ...route }) => ({
    ...route,
    dialect,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, action]) => [method, operationOf(action)]),
    ),
  }))
}

function operationOf(action: Action): ServiceOperation {
  switch (action.operation) {
    case 'tasks.create':
      return createTask(action)
    case 'tasks.list':
      return listTasks(action)
    case 'tasks.retrieve':
      return retrieveTask(action)
    case 'tasks.cancel':
      return cancelTask(action)
  }
}

/** The routes of all operations, and the dialect of each path. */
export class Routes {
  readonly #router: Router
  readonly #main: Dialect

  /**
   * @param main the dialect in whose form errors outside of all routes are written
   * @param others the routes that no dialect has, such as those of the control API
   */
  constructor(main: Dialect, others: readonly Route[]) {
    this.#main = main
    this.#router = new Router([...routesOf(main), ...others])
  }

  /** @param path still percent-encoded, without the query */
  find(path: string): RouteMatch | undefined {
    return this.#router.find(path)
  }

  /** The wire format of a path, whether or not it has a route; undefined in the control API. */
  dialectOf(path: string, match: RouteMatch | undefined): Dialect | undefined {
    return isOfControl(path) ? undefined : (match?.route.dialect ?? this.#main)
  }
}
