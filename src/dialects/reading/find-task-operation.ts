import type { Dialect } from '../dialect.js'
import type { TableOperation } from '../table/operation-table.js'
import { matchPath, pathOf } from './match-path.js'

/** An operation on one task, and the id of the task. */
export interface FoundTaskOperation {
  readonly operation: TableOperation
  readonly id: string
}

/** Finds the operation of a request about one task; undefined if the request is about something else. */
export function findTaskOperation(
  { table, hosts }: Dialect,
  { method, url }: { readonly method: string; readonly url: string },
): FoundTaskOperation | undefined {
  const path = pathOf(hosts, new URL(url))
  for (const operation of table?.operations ?? []) {
    if (operation.method !== method) continue
    const id = matchPath(`${table?.prefix ?? ''}${operation.path}`, path)?.['task_id']
    if (id !== undefined) return { operation, id }
  }
  return undefined
}
