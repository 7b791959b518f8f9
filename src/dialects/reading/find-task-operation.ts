import type { Dialect } from '../dialect.js'
import type { DialectOperation } from '../table/dialect-table.generated.js'
import { bestMatch, pathOf } from './match-path.js'

/** An operation on one task, and the id of the task. */
export interface FoundTaskOperation {
  readonly operation: DialectOperation
  readonly id: string
}

/** Finds the operation of a request about one task; undefined if the request is about something else. */
export function findTaskOperation(
  { table, hosts }: Dialect,
  { method, url }: { readonly method: string; readonly url: string },
): FoundTaskOperation | undefined {
  const { prefix = '', operations } = table
  const found = bestMatch(
    operations.filter((operation) => operation.method === method),
    ({ path }) => [prefix + path],
    pathOf(hosts, new URL(url)),
  )
  const id = found?.values['task_id']
  return found === undefined || id === undefined ? undefined : { operation: found.item, id }
}
