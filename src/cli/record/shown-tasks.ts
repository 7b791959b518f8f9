import { answeredTask, answeredTasks } from '../../dialects/answered-task.js'
import type { Dialect } from '../../dialects/dialect.js'
import { isJsonObject, type JsonValue } from '../../engine/json.js'
import type { Status } from '../../engine/tasks/task.js'
import type { PassedResponse } from '../../record/recording/passed-exchange.js'
import { jsonIn } from './mirror/seen-exchange.js'
import { isJson } from './proxy/headers.js'

/** A task in an answer. */
export interface ShownTask {
  readonly id: string
  /** Undefined if the answer does not show it. */
  readonly status: Status | undefined
}

/** The tasks in a successful answer: the task that it is or contains, or the tasks that it lists. */
export function shownTasks({ answers }: Dialect, response: PassedResponse | undefined): readonly ShownTask[] {
  const body = response && response.status < 300 ? jsonOf(response) : undefined
  if (body === undefined || !isJsonObject(body)) return []
  return answeredTasks(body, answers).flatMap((task) => {
    const { id, status } = answeredTask(task, answers)
    return id === undefined ? [] : [{ id, status }]
  })
}

/** The JSON in an answer; undefined if there is none. */
export function jsonOf({ headers, body }: PassedResponse): JsonValue | undefined {
  return isJson(headers['content-type']) ? jsonIn(body) : undefined
}
