import type { TaskAction } from '../action.js'
import type { Dialect } from '../dialect.js'
import { addressOf, fillPath, paramsOf, pathValues, requiredHeaders } from './address.js'
import { createFormOf } from './create-form.js'
import { createDraft } from './create-request.js'
import type { Destination, ServiceRequest, Wanted } from './service-request.js'

/** How clients of a service poll a task. */
export interface Poll {
  readonly action: TaskAction
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
  for (const { path, methods } of dialect.routes) {
    const action = methods['GET']
    if (action?.operation !== 'tasks.retrieve' || action.wait !== undefined) continue
    const draft = createDraft(createFormOf(dialect, task), task)
    const values = { ...pathValues(dialect, draft.path), task_id: task.id }
    return { action, route: path, path: fillPath(path, values), params: paramsOf(path, values) }
  }
  return undefined
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
  return { method: 'GET', url: origin + path, headers: requiredHeaders(dialect, destination.key) }
}
