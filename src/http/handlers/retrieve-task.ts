import { taskChecker } from '../../dialects/table/answers/check-rejected.js'
import { type Answer, taskAnswer } from '../../dialects/table/answers/task-answer.js'
import type { RetrieveOperation } from '../../dialects/table/dialect-table.generated.js'
import type { Endpoint } from '../../dialects/table/requests/endpoint.js'
import { conditionReader, waitReader } from '../../dialects/table/requests/request-values.js'
import { ownerOf } from '../../dialects/table/tasks/objects.js'
import { isPromise } from '../../engine/awaitable.js'
import type { ServiceExchange, ServiceOperation } from '../operation.js'
import { givenFile } from './given-file.js'
import { lazyOperation } from './lazy-operation.js'
import { answerAbout, ownTask, taskAfterWait } from './one-task.js'

/**
 * Answers with the current state of a task. This is the most frequent operation, so it waits only for a task that ends,
 * or if the request asks for it.
 */
export function retrieveTask(retrieve: RetrieveOperation, endpoint: Endpoint): ServiceOperation {
  const { reject, stream_if: streamIf, events } = retrieve
  const answer = stateAnswer(retrieve, endpoint)
  const wait = retrieve.wait === undefined ? undefined : waitReader(retrieve.wait, endpoint)
  const check = taskChecker(endpoint, reject)
  const file = givenFile(retrieve, endpoint)
  const answerTo = (exchange: ServiceExchange): Answer =>
    file === undefined
      ? answer
      : (task, call) => (file.isFor(task, call) ? file.answer(task, exchange) : answer(task, call))
  const operation: ServiceOperation = {
    id: 'tasks.retrieve',
    authenticated: true,
    owns: ownerOf(endpoint.table),
    wait,
    run(exchange) {
      const waiting = wait?.(exchange) ?? 0
      const task = ownTask(exchange)
      check?.(task, exchange)
      const polled = waiting > 0 ? taskAfterWait(exchange, task, waiting) : exchange.sim.tasks.poll(task)
      if (isPromise(polled)) return polled.then((ended) => answerAbout(ended, answerTo(exchange), exchange))
      return answerAbout(polled, answerTo(exchange), exchange)
    },
  }
  if (events === undefined || streamIf === undefined) return operation
  const isAsked = conditionReader(streamIf, endpoint)
  const { resume_after, logs_if } = retrieve
  const stream = lazyOperation({ action: 'stream', events, resume_after, logs_if, reject }, endpoint)
  return { ...operation, instead: (call) => (isAsked(call) ? stream : undefined) }
}

/** Returns a function that answers with the state of a task, with its log lines unless the client asks for none. */
export function stateAnswer(retrieve: RetrieveOperation, endpoint: Endpoint): Answer {
  const whole = taskAnswer(retrieve, endpoint)
  if (retrieve.logs_if === undefined) return whole
  const showsLogs = conditionReader(retrieve.logs_if, endpoint)
  const withoutLogs = taskAnswer(retrieve, endpoint, true)
  return (task, call) => (showsLogs(call) ? whole : withoutLogs)(task, call)
}
