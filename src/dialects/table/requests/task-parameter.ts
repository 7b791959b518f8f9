import type { DialectOperation } from '../dialect-table.generated.js'

/** A placeholder for the id of a task that is not in the path, perhaps with filters. */
export const TASK_PARAMETER = /^\{\{\s*(query|header|body)\.([\w.-]+)\s*(?:\|[^{}]*)?\}\}$/

/** Where a request has the id of its task, if not in the path. */
export interface TaskParameter {
  readonly part: 'query' | 'header' | 'body'
  /** The name of the parameter, the header or the field; a field of a mapping has a dot before its name. */
  readonly name: string
  /** The placeholder. */
  readonly template: string
}

/** Where the requests of an operation have the id of their task; undefined if in the path, or if they are about none. */
export function taskParameterOf(operation: DialectOperation): TaskParameter | undefined {
  const template = 'task' in operation ? operation.task : undefined
  const [, part, name] = TASK_PARAMETER.exec(template ?? '') ?? []
  return template === undefined || name === undefined
    ? undefined
    : { part: part as TaskParameter['part'], name, template }
}
