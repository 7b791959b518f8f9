import type { Dialect } from '../../dialects/dialect.js'
import { createRequest } from '../../dialects/requests/create-request.js'
import { pollRequest } from '../../dialects/requests/poll-request.js'
import type { ServiceRequest } from '../../dialects/requests/service-request.js'
import type { AnsweredRequest } from '../../engine/events.js'
import { maskUrl } from '../../engine/mask.js'
import type { Task } from '../../engine/tasks/task.js'
import { repeatedRequest } from '../journal/repeated-request.js'
import type { ServiceRequestShape } from '../shapes.js'
import { ID, type PlannedRequest } from './test-plan.js'

/** Not the address of any service, so that requests have the paths of a server. */
const SERVER = 'http://server.invalid'

/** A create request for an identical task. */
export function createAgain(dialect: Dialect, task: Task, key: string): PlannedRequest {
  const wanted = { ...task, webhookUrl: task.webhookUrl && maskUrl(task.webhookUrl) }
  return planned(createRequest(dialect, wanted, { origin: SERVER, key }))
}

/** A poll of the task of the test; undefined if its service has none. */
export function pollOfTask(dialect: Dialect, task: Task, key: string): PlannedRequest | undefined {
  const request = pollRequest(dialect, task, { origin: SERVER, key })
  return request && withId(planned(request), task.id)
}

/** A request that repeats an answered one, below the name of its dialect. */
export function repeat(
  request: AnsweredRequest,
  dialect: Dialect | undefined,
  { key, taskId }: { readonly key: string; readonly taskId?: string | undefined },
): PlannedRequest {
  const repeated = planned(repeatedRequest(request, dialect, { origin: SERVER, key }))
  const mount = `/${dialect?.name}/`
  const isMounted =
    dialect === undefined ||
    dialect.name === 'tasks' ||
    repeated.path.startsWith(mount) ||
    repeated.path.startsWith('/files/')
  const path = isMounted ? repeated.path : `/${dialect.name}${repeated.path}`
  return withId({ ...repeated, path }, request.operation === 'tasks.create' ? undefined : taskId)
}

function planned({
  method,
  url,
  headers,
  body,
  ...rest
}: ServiceRequest & Pick<ServiceRequestShape, 'text'>) {
  const { text } = rest
  const [path = '', ...query] = url.slice(SERVER.length).split('?')
  return {
    method,
    path,
    query: query.join('?'),
    headers,
    body: body === undefined ? text : JSON.stringify(body),
  } satisfies PlannedRequest
}

/** The id of the task is known only once the test has created it. */
function withId(request: PlannedRequest, id: string | undefined): PlannedRequest {
  if (id === undefined) return request
  const forms = [id, encodeURIComponent(id)]
  const replaced = (text: string) => forms.reduce((all, form) => all.replaceAll(form, ID), text)
  return { ...request, path: replaced(request.path), query: replaced(request.query) }
}
