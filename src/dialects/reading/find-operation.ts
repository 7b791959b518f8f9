import type { OperationName } from '../../engine/requests/operations.js'
import type { Dialect } from '../dialect.js'
import { bestMatch, pathOf } from './match-path.js'

/** The operation that a request calls. */
export interface FoundOperation {
  readonly name: OperationName
  /** The path of its route in the dialect. */
  readonly route: string
  /** The id of the task in the path, if the operation is about one. */
  readonly taskId: string | undefined
}

/** Finds the operation of a dialect that a request calls; undefined if it calls none. */
export function findOperation(
  { routes, hosts }: Dialect,
  { method, url }: { readonly method: string; readonly url: URL },
): FoundOperation | undefined {
  const found = bestMatch(
    routes.flatMap(({ path, aliases = [], methods }) => {
      const action = methods[method]
      return action === undefined ? [] : [{ path, paths: [path, ...aliases], name: action.operation }]
    }),
    ({ paths }) => paths,
    pathOf(hosts, url),
  )
  return found && { name: found.item.name, route: found.item.path, taskId: found.values['task_id'] }
}
