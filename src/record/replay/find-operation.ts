import type { Dialect } from '../../dialects/dialect.js'
import { matchPath, pathOf } from '../../dialects/reading/match-path.js'
import type { OperationName } from '../../engine/requests/operations.js'

/** The operation that a request asks for. */
export interface FoundOperation {
  readonly name: OperationName
  /** The path of its route in the dialect. */
  readonly route: string
  /** The id of the task in the path, if the operation is about one. */
  readonly taskId: string | undefined
}

/** Finds the operation of a dialect that a request asks for; undefined if it asks for something else. */
export function findOperation(dialect: Dialect, method: string, url: URL): FoundOperation | undefined {
  const path = pathOf(dialect.hosts, url)
  const found = dialect.routes.flatMap((route) => {
    const action = route.methods[method]
    if (action === undefined) return []
    return [route.path, ...(route.aliases ?? [])].flatMap((pattern) => {
      const values = matchPath(pattern, path)
      return values === undefined ? [] : [{ pattern, values, route: route.path, name: action.operation }]
    })
  })
  // `/v1/models/{owner}/{name}/predictions` also ends with `/predictions`.
  const [best] = found.sort((one, other) => fixedLength(other.pattern) - fixedLength(one.pattern))
  return best && { name: best.name, route: best.route, taskId: best.values['task_id'] }
}

/** The length without the names of parameters, which say nothing about how well a path fits. */
function fixedLength(pattern: string): number {
  return pattern.replace(/\{[^}]*\}/g, '').length + pattern.split('/').length
}
