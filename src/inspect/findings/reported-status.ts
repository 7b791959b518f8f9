import { isJsonObject, type JsonValue, parseJson } from '../../engine/json.js'
import type { AnsweredRequest, RequestNote } from '../../engine/requests/answered-request.js'
import { isSuccess } from '../../engine/requests/statuses.js'
import {
  type AnswerShape,
  answeredTask,
  answeredTasks,
  lastSegment,
  taskInAnswer,
} from '../../engine/tasks/answered-task.js'

/** The status of a task in an answer, as the client read it. */
export interface ReportedStatus {
  /** May be any word if a fault changed the answer. */
  readonly status: string
  /** False if a fault changed the answer, so that a client may ignore it. */
  readonly isCertain: boolean
}

type ObservedTask = NonNullable<RequestNote['observed']>[number]

/**
 * Returns a function that gives the status of a task in the answer to a request, as the client received it.
 * @param answers the fields of the service's answers; without them, no altered answer is read
 */
export function statusReader(
  request: AnsweredRequest,
  answers: AnswerShape | undefined,
): (task: ObservedTask) => ReportedStatus | undefined {
  const { method, status, delivered, note } = request
  if (method === 'HEAD' || !delivered) return () => undefined
  const isAltered = note.isAltered === true
  // The rejection of a late cancel says that the task has ended.
  if ((status === 409 || (isCancel(request) && status >= 400 && status < 500)) && !isAltered)
    return (task) => ({ status: task.status, isCertain: false })
  if (!isSuccess(status)) return () => undefined
  if (!isAltered) return (task) => ({ status: task.status, isCertain: true })
  if (note.responseBody === undefined) return (task) => ({ status: task.status, isCertain: false })
  const body = parseJson(note.responseBody)
  return (task) => answers && statusIn(body, task, answers)
}

/** The word in an answer about one task that is not a state of the service; undefined if there is none. */
export function unknownWordIn(
  { delivered, status, note }: AnsweredRequest,
  answers: AnswerShape | undefined,
): string | undefined {
  const { isAltered, responseBody } = note
  if (!isAltered || !delivered || status >= 300 || responseBody === undefined || answers === undefined)
    return undefined
  const body = parseJson(responseBody)
  return isJsonObject(body) ? answeredTask(taskInAnswer(body, answers), answers).unknownWord : undefined
}

/** @param observed the state that the dialect reads in the answer, if no field has a word for it */
function statusIn(
  body: JsonValue | undefined,
  { id, status: observed }: ObservedTask,
  shape: AnswerShape,
): ReportedStatus | undefined {
  if (!isJsonObject(body)) return undefined
  const tasks = answeredTasks(body, shape).map((task) => answeredTask(task, shape))
  const task = Array.isArray(body[shape.list]) ? tasks.find((each) => each.id === lastSegment(id)) : tasks[0]
  return { status: task?.status ?? task?.unknownWord ?? observed, isCertain: false }
}

export function isCancel({ operation }: AnsweredRequest): boolean {
  return operation === 'tasks.cancel'
}
