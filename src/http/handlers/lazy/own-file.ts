import { AnswerScope } from '../../../dialects/table/answers/answer-scope.js'
import { taskChecker } from '../../../dialects/table/answers/check-rejected.js'
import { headersWriter } from '../../../dialects/table/answers/headers-writer.js'
import { taskAnswer } from '../../../dialects/table/answers/task-answer.js'
import type { FileOperation } from '../../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { requestReader } from '../../../dialects/table/requests/request-values.js'
import { TASK_VALUES, type TaskScope } from '../../../dialects/table/tasks/task-values.js'
import { pictureOf } from '../../../engine/assets/asset.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Reply } from '../../../exchange/exchange.js'
import { Problem } from '../../../exchange/problem.js'
import { fileReply } from '../../files/give-file.js'
import type { AnswerNewTask, ServiceExchange, ServiceHandler } from '../../operation.js'
import { outputGone, withReport } from '../download-file.js'
import { ownTask } from '../one-task.js'

/** Answers with an output file of a task, or a picture of it, to the client that created the task. */
export function ownFile(
  { index = 0, reject, redirect, states, picture = '', pictures = {} }: FileOperation,
  endpoint: Endpoint,
): ServiceHandler {
  const readIndex = requestReader(index, endpoint)
  const readPicture = requestReader(picture, endpoint)
  const check = taskChecker(endpoint, reject)
  const inPlace = taskAnswer({ states }, endpoint)
  return async (exchange) => {
    const task = ownTask(exchange)
    if (states?.[task.status as keyof typeof states] !== undefined) {
      check?.(task, exchange)
      return inPlace(task, exchange)
    }
    const word = String(readPicture(exchange) ?? '')
    const format = Object.hasOwn(pictures, word) ? pictures[word] : undefined
    const file = format === undefined ? Number(readIndex(exchange) ?? 0) : 0
    return withReport(exchange, file, async () => {
      try {
        check?.(task, exchange)
        checkReady(exchange, task, file)
      } catch (error) {
        noteExpiry(exchange, task)
        throw error
      }
      if (redirect !== undefined) return redirectTo(exchange, task, file, redirect)
      return fileReply(exchange, format === undefined ? task : pictureOf(task, format), file)
    })
  }
}

/** Returns a function that answers with the first output file of a task, in place of the task. */
export function firstFile(endpoint: Endpoint): AnswerNewTask {
  const addHeaders = headersWriter<TaskScope>(endpoint.table.headers, TASK_VALUES)
  return async (task, exchange) => {
    const reply = await withReport(exchange, 0, async () => {
      checkReady(exchange, task, 0)
      return fileReply(exchange, task, 0)
    })
    addHeaders?.(new AnswerScope(endpoint, task, exchange), reply.headers)
    return { ...reply, hasFiles: true }
  }
}

/** Redirects to the signed URL of a file, which is that of another host in the service. */
function redirectTo({ sim, request }: ServiceExchange, task: Task, file: number, status: number): Reply {
  const location = sim.outputs.urlOf(task, file, sim.publicOrigin(request.origin), sim.clock.now())
  return { status, headers: { location }, body: undefined }
}

/** Notes that a refused file has expired, which each service says in its own way. */
function noteExpiry({ sim: { outputs, clock }, note }: ServiceExchange, task: Task): void {
  const [now, expiredAt] = [clock.now(), outputs.expiryOf(task)]
  if (outputs.isGone(task, now)) note.refused = { why: 'gone' }
  else if (expiredAt !== undefined && expiredAt <= now) note.refused = { why: 'expired', expiredAt }
}

/** @throws Problem 404 or 410 if there is no such file, or it is not kept any more */
function checkReady({ sim }: ServiceExchange, task: Task, file: number): void {
  const isFile = Number.isInteger(file) && file >= 0 && file < (task.result?.files ?? 0)
  if (!isFile)
    throw new Problem('not_found', `The task has no output file ${file}. Wait until it has succeeded.`)
  if (sim.outputs.isGone(task, sim.clock.now())) throw outputGone()
}
