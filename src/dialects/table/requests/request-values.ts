import type { JsonObject, JsonValue } from '../../../engine/json.js'
import { valueAt } from '../../../engine/tasks/value-at.js'
import type { Call } from '../../call.js'
import { decodePart } from '../../path-parts.js'
import { TASK_VALUES, type TaskScope } from '../tasks/task-values.js'
import type { Read, Values } from '../template/compile.js'

/** A request to an operation of a table. */
export interface RequestScope {
  readonly call: Call
  /** Empty if the operation reads none. */
  readonly body: JsonObject
  /** The names of the parameters in the path, in their order. */
  readonly parameters: readonly string[]
  /** The task from which the request makes a new one, if it names one that the client can see. */
  readonly source?: TaskScope | undefined
}

/** The values in templates of requests. */
export const REQUEST_VALUES = {
  body: ({ body }) => body,
  header: { find: ({ call }, name) => call.request.header(name.toLowerCase()) },
  query: ({ call }) => fieldsOf(call.request.query),
  path: ({ call, parameters }) =>
    Object.fromEntries(parameters.map((name, index) => [name, decodePart(call.params[index] ?? '')])),
  source: { find: ({ source }, path) => source && valueOfTask(source, path) },
} satisfies Values<RequestScope>

interface Query {
  readonly text: string
  readonly fields: JsonObject
}

let last: Query = { text: '', fields: Object.freeze({}) }

/** The fields of a query. It keeps the last one, because most requests are polls with the same query. */
function fieldsOf(text: string): JsonObject {
  if (text !== last.text)
    last = { text, fields: Object.freeze(Object.fromEntries(new URLSearchParams(text))) }
  return last.fields
}

/** A value of a task, such as `kept.size`. */
function valueOfTask(task: TaskScope, path: string): JsonValue | undefined {
  const [name = '', ...steps] = path.split('.')
  const values: Readonly<Record<string, Read<TaskScope>>> = TASK_VALUES
  const value = Object.hasOwn(values, name) ? values[name]?.(task) : undefined
  return value === undefined ? undefined : valueAt({ value }, ['value', ...steps].join('.'))
}
