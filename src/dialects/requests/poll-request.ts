import type { JsonValue } from '../../engine/json.js'
import type { Dialect } from '../dialect.js'
import type { DialectOperation, RetrieveOperation } from '../table/dialect-table.generated.js'
import { taskParameterOf } from '../table/requests/task-parameter.js'
import { addressOf, fillPath, paramsOf, pathValues, requiredHeaders, taskQueryOf } from './address.js'
import { createFormOf } from './create-form.js'
import { createDraft } from './create-request.js'
import type { Destination, ServiceRequest, Wanted } from './service-request.js'

/** How clients of a service poll a task. */
export interface Poll {
  readonly operation: DialectOperation & RetrieveOperation
  /** The path in the dialect. */
  readonly route: string
  /** With the prefix, without a mount. */
  readonly path: string
  /** The values of the parameters in the path. */
  readonly params: readonly string[]
}

/**
 * Returns how to poll a task: with the first operation of its service that answers at once.
 * @returns undefined if the service has no such operation
 */
export function pollOf(dialect: Dialect, task: Wanted & { readonly id: string }): Poll | undefined {
  const operation = dialect.table.operations.find(isPoll)
  if (operation === undefined) return undefined
  const draft = createDraft(createFormOf(dialect, task), task)
  const values = { ...pathValues(dialect, draft.path), task_id: task.id }
  const route = (dialect.table.prefix ?? '') + operation.path
  return {
    operation,
    route,
    path: fillPath(route + taskQueryOf(operation), values),
    params: paramsOf(route, values),
  }
}

/** Whether an operation answers at once with the state of a task. */
export function isPoll(operation: DialectOperation): operation is DialectOperation & RetrieveOperation {
  const isRead = operation.method === 'GET' || taskParameterOf(operation)?.part === 'body'
  return operation.action === 'retrieve' && isRead && operation.wait === undefined
}

/** Returns the request that polls a task; undefined if the service has none. */
export function pollRequest(
  dialect: Dialect,
  task: Wanted & { readonly id: string },
  destination: Destination,
): ServiceRequest | undefined {
  const poll = pollOf(dialect, task)
  if (poll === undefined) return undefined
  const { origin, path } = addressOf(dialect, poll.path, destination)
  const headers = {
    ...requiredHeaders(dialect, destination.key),
    // A service whose polls give the file itself gives the fields of the task to clients that ask for JSON.
    ...(poll.operation.gives !== undefined && { Accept: 'application/json' }),
  }
  const request = { method: poll.operation.method, url: origin + path, headers }
  const parameter = taskParameterOf(poll.operation)
  if (parameter?.part === 'header') return { ...request, headers: { ...headers, [parameter.name]: task.id } }
  if (parameter?.part !== 'body') return request
  const body = parameter.name.split('.').reduceRight<JsonValue>((value, name) => ({ [name]: value }), task.id)
  return { ...request, headers: { ...headers, 'Content-Type': 'application/json' }, body: Object(body) }
}
