import type { OperationName } from '../../engine/requests/operations.js'
import type { Dialect } from '../dialect.js'
import { matchPath, pathOf } from './match-path.js'

/** Finds the operation that a request to a service calls; undefined if it calls none. */
export function seeOperation(
  { routes, hosts }: Dialect,
  { method, url }: { readonly method: string; readonly url: URL },
): OperationName | undefined {
  const path = pathOf(hosts, url)
  const matches = routes.flatMap(({ path: own, aliases = [], methods }) => {
    const action = methods[method]
    const pattern = [own, ...aliases].find((each) => matchPath(each, path) !== undefined)
    return action === undefined || pattern === undefined ? [] : [{ pattern, action }]
  })
  // `/tasks/queued` also matches `/tasks/{task_id}`, and `/v1/predictions` ends with `/predictions`.
  const [best] = matches.sort(
    (one, other) =>
      constantsIn(other.pattern) - constantsIn(one.pattern) || other.pattern.length - one.pattern.length,
  )
  return best?.action.operation
}

function constantsIn(pattern: string): number {
  return pattern.split('/').filter((part) => part !== '' && !part.includes('{')).length
}
