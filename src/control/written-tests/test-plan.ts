import type { Dialect } from '../../dialects/dialect.js'
import { createRequest } from '../../dialects/requests/create-request.js'
import { pollRequest } from '../../dialects/requests/poll-request.js'
import type { ServiceRequest } from '../../dialects/requests/service-request.js'
import { maskUrl } from '../../engine/mask.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { Task, TaskError } from '../../engine/tasks/task.js'
import { repeatedRequest } from '../journal/requests.js'
import type { ServiceRequestShape } from '../shapes.js'

/** The place of the task's id in a path of a plan: the id is known only once the test has created the task. */
export const ID = '{task}'

/** The origin of the service in tests of the main dialect. */
export const ORIGIN = 'https://api.example.com'

/** A request of a test. */
export interface PlannedRequest {
  readonly method: string
  /** As a server has it: below the name of its dialect. May contain {@link ID}. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What a test does, in order. */
export type Step =
  | {
      readonly type: 'send'
      readonly request: PlannedRequest
      /** How often; once by default. */
      readonly times?: number
      /** Whether all tasks end after each request. */
      readonly ends?: boolean
    }
  /** Reads the URLs of the task's files, which the next download uses. */
  | { readonly type: 'keep' }
  /** Downloads a file of the task, from its URL or a changed one. */
  | { readonly type: 'download'; readonly file: number; readonly isAltered: boolean }
  | { readonly type: 'advance'; readonly ms: number }
  | {
      readonly type: 'finish'
      readonly status: 'succeeded' | 'failed' | 'canceled'
      readonly error: TaskError | undefined
    }
  | { readonly type: 'hold' }
  | { readonly type: 'idle' }

/** The scenario of a test, as code and as what it means. */
export interface TestScenario {
  /** The name of a shipped scenario. */
  readonly name: string
  /** The text of any other scenario, without secrets. */
  readonly text?: string
}

/** A test, before it is written. */
export interface TestPlan {
  readonly scenario: TestScenario
  readonly seed: string
  /** The dialect of its requests. */
  readonly dialect: string
  /** The statuses with which receivers answer, in order; 0 for none. */
  readonly answers: readonly number[]
  /** The URLs of receivers that neither the scenario nor the request names. */
  readonly receivers: readonly string[]
  /** What the reader should know, such as why the request has a directive. */
  readonly notes: readonly string[]
  readonly steps: readonly Step[]
}

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
