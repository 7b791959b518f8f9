import { type JsonObject, type JsonValue, valueAt } from '../../../engine/json.js'
import { rememberLast } from '../../../engine/recent.js'
import type { Call } from '../../call.js'
import { decodePart } from '../../path-tree.js'
import { TASK_VALUES, type TaskScope } from '../tasks/task-values.js'
import { compileTemplate, isTrue, type Read, type Values } from '../template/compile.js'
import type { TextTemplate } from '../template/template.js'
import type { Endpoint } from './endpoint.js'

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

/** The fields of a query. Most requests are polls with the same query. */
const fieldsOf = rememberLast(
  (query: string): JsonObject => Object.freeze(Object.fromEntries(new URLSearchParams(query))),
)

/** A value of a task, such as `kept.size`. */
function valueOfTask(task: TaskScope, path: string): JsonValue | undefined {
  const [name = '', ...steps] = path.split('.')
  const values: Readonly<Record<string, Read<TaskScope>>> = TASK_VALUES
  const value = Object.hasOwn(values, name) ? values[name]?.(task) : undefined
  return value === undefined ? undefined : valueAt({ value }, ['value', ...steps].join('.'))
}

/** Returns a function that checks a condition on a request without a body. */
export function conditionReader(template: TextTemplate, endpoint: Endpoint): (call: Call) => boolean {
  const read = requestReader(template, endpoint)
  return (call) => isTrue(read(call))
}

/** Returns a function that reads a value of a request, by default of one without a body. */
export function requestReader(template: TextTemplate | number, { parameters }: Endpoint) {
  const read = compileTemplate<RequestScope>(template, REQUEST_VALUES)
  return (call: Call, body: JsonObject = {}) => read({ call, body, parameters })
}

/** The field of the body that a template names, such as `callback_url` in `{{body.callback_url}}`; empty if none. */
export function fieldOfBody(template: JsonValue): string {
  return /\{\{\s*body\.([\w.-]+)/.exec(JSON.stringify(template))?.[1] ?? ''
}

/** No answer is held longer, in milliseconds. */
const LONGEST_WAIT = 600_000

/** Returns a function that reads how many milliseconds to hold the answer to a request without a body. */
export function waitReader(template: TextTemplate | number, endpoint: Endpoint): (call: Call) => number {
  const read = requestReader(template, endpoint)
  return (call) => waitOf(read(call))
}

/** The milliseconds to hold an answer, from a number or a string; 0 for anything else. */
export function waitOf(value: JsonValue | undefined): number {
  const milliseconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return milliseconds > 0 ? Math.min(milliseconds, LONGEST_WAIT) : 0
}
