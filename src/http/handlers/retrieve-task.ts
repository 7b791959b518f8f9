import { taskChecker } from '../../dialects/table/answers/check-rejected.js'
import { type Answer, taskAnswer } from '../../dialects/table/answers/task-answer.js'
import type { RetrieveOperation } from '../../dialects/table/dialect-table.generated.js'
import type { OperationPlace } from '../../dialects/table/requests/operation-place.js'
import { conditionReader, waitReader } from '../../dialects/table/requests/request-values.js'
import { ownerOf } from '../../dialects/table/tasks/objects.js'
import { isPromise } from '../../engine/awaitable.js'
import type { ServiceExchange, ServiceOperation } from '../operation.js'
import { fileCondition, fileOf } from './given-file.js'
import { lazyOperation } from './lazy-operation.js'
import { answerAbout, heldTask, ownTask } from './one-task.js'

/**
 * Answers with the current state of a task. This is the most frequent operation, so it waits for nothing unless the task
 * ends.
 */
export function retrieveTask(retrieve: RetrieveOperation, place: OperationPlace): ServiceOperation {
  const { reject, stream_if: streamIf, events } = retrieve
  const answer = stateAnswer(retrieve, place)
  const wait = retrieve.wait === undefined ? undefined : waitReader(retrieve.wait, place)
  const check = taskChecker(place, reject)
  const givesFile = fileCondition(retrieve, place)
  const answerTo = (exchange: ServiceExchange): Answer =>
    givesFile === undefined
      ? answer
      : (task, call) => (givesFile(task, call) ? fileOf(task, exchange, place) : answer(task, call))
  const operation: ServiceOperation = {
    id: 'tasks.retrieve',
    authenticated: true,
    owns: ownerOf(place.table),
    wait,
    run(exchange) {
      const held = wait?.(exchange) ?? 0
      const task = ownTask(exchange)
      check?.(task, exchange)
      const polled = held > 0 ? heldTask(exchange, task, held) : exchange.sim.tasks.poll(task)
      if (isPromise(polled)) return polled.then((ended) => answerAbout(ended, answerTo(exchange), exchange))
      return answerAbout(polled, answerTo(exchange), exchange)
    },
  }
  if (events === undefined || streamIf === undefined) return operation
  const isAsked = conditionReader(streamIf, place)
  const { resume_after, logs_if } = retrieve
  const stream = lazyOperation({ action: 'stream', events, resume_after, logs_if, reject }, place)
  return { ...operation, instead: (call) => (isAsked(call) ? stream : undefined) }
}

/** Returns a function that answers with the state of a task, with its log lines unless the client asks for none. */
export function stateAnswer(retrieve: RetrieveOperation, place: OperationPlace): Answer {
  const whole = taskAnswer(retrieve, place)
  if (retrieve.logs_if === undefined) return whole
  const showsLogs = conditionReader(retrieve.logs_if, place)
  const withoutLogs = taskAnswer(retrieve, place, true)
  return (task, call) => (showsLogs(call) ? whole : withoutLogs)(task, call)
}
