import type { DialectTable } from './dialect-table.js'

/** Where an operation is, as far as its answers depend on it. */
export interface OperationPlace {
  /** The origins of the service itself. */
  readonly hosts: readonly string[]
  /** The number of segments of the path, with the prefix. */
  readonly depth: number
  /** The names of the parameters in the path, in their order. */
  readonly parameters: readonly string[]
}

/** Reads a path in the syntax of OpenAPI, such as `/tasks/{task_id}`. */
export function operationPlace({ hosts = [] }: DialectTable, path: string): OperationPlace {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return { hosts, depth: path.split('/').length - 1, parameters }
}
