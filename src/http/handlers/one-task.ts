import type { CancelAction, DeleteAction, ResultAction, TaskAction } from '../../dialects/action.js'
import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import { evictionHint, Problem } from '../exchange/problem.js'
import type { ServiceExchange, ServiceOperation } from '../operation.js'
import { isOwn } from '../own-task.js'
import { recordedAnswer, recordedAnswerTo } from '../recorded-answer.js'
import { staleView } from '../stale-view.js'

/**
 * Answers with the current state of a task. This is the most frequent operation, so it waits for nothing unless the task ends.
 * @param stream streams the task, for requests that ask for that
 */
export function retrieveTask(action: TaskAction, stream?: ServiceOperation): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    ...(stream && { instead: (exchange) => (action.stream?.isAsked(exchange) ? stream : undefined) }),
    run(exchange) {
      action.check?.(exchange)
      const wait = action.wait?.(exchange) ?? 0
      const task = ownTask(exchange)
      action.checkTask?.(task, exchange)
      const polled = wait > 0 ? heldTask(exchange, task, wait) : exchange.sim.tasks.poll(task)
      return isPromise(polled) ? answerLater(polled, action, exchange) : answerAbout(polled, action, exchange)
    },
  }
}

async function answerLater(
  pending: PromiseLike<Task>,
  action: TaskAction,
  exchange: ServiceExchange,
): Promise<Reply> {
  return answerAbout(await pending, action, exchange)
}

/** Answers with the result of a task. It does not count as a poll, because the client does not ask for the state. */
export function taskResult(action: ResultAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    run(exchange) {
      action.check?.(exchange)
      return answerAbout(ownTask(exchange), action, exchange, action.checkTask)
    },
  }
}

/** Cancels a task. Canceling it again changes nothing; canceling a task that has succeeded or failed is a conflict. */
export function cancelTask(action: CancelAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    run(exchange) {
      action.check?.(exchange)
      const found = ownTask(exchange)
      action.checkTask?.(found, exchange)
      const { id } = found
      const task = exchange.sim.tasks.cancel(id) ?? ownTask(exchange)
      exchange.note.observed = [{ id, status: task.status }]
      if (task.status === 'canceled' || action.acceptsEnded === true)
        return recordedAnswer(task, exchange) ?? action.encode(task, exchange)
      throw new Problem('conflict', `Task ${id} has ${task.status} already and cannot be canceled any more.`)
    },
  }
}

/** Deletes a task. */
export function deleteTask(action: DeleteAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    run(exchange) {
      action.check?.(exchange)
      const task = ownTask(exchange)
      action.checkTask?.(task, exchange)
      const { tasks } = exchange.sim
      const deleted = action.keepsRecord ? tasks.erase(task.id) : tasks.delete(task.id)
      return action.encode(deleted ?? task, exchange)
    },
  }
}

/**
 * Answers with the state or the result of a task, and notes what the client has seen.
 * @param check checks the task as the client sees it
 */
function answerAbout(
  current: Task,
  action: TaskAction | ResultAction,
  exchange: ServiceExchange,
  check?: ResultAction['checkTask'],
): Awaitable<Reply> {
  const { operation, route, dialect, note } = exchange
  const { task, call } = exchange.isStale ? staleView(current, exchange) : { task: current, call: exchange }
  check?.(task, call)
  note.observed = [{ id: task.id, status: task.status }]
  return recordedAnswerTo(operation.id, route?.path ?? '', task, call, dialect) ?? action.encode(task, call)
}

/**
 * Waits until a task has ended, or the client has disconnected. The task may have disappeared in the meantime, because a
 * client has deleted it.
 */
export async function heldTask(
  { sim, note, request }: ServiceExchange,
  task: Task,
  wait: number,
): Promise<Task> {
  note.held = wait
  return (await sim.live.of(task.dialect)?.waits.untilEnd(task.id, wait, request.signal)) ?? task
}

/**
 * The task in the path.
 * @throws Problem 404 if it does not exist, or belongs to another key or dialect
 */
export function ownTask(exchange: ServiceExchange): Task {
  const { sim, namedTask: id = '' } = exchange
  const task = sim.tasks.get(id)
  if (task !== undefined && isOwn(task, exchange)) {
    exchange.taskId = task.id
    return task
  }
  throw new Problem(
    'task_not_found',
    `There is no task ${id.slice(0, 100)} that this API key could see.${evictionHint(sim)}`,
  )
}

/**
 * The task in the path of a URL that needs no API key, because nobody can guess the id.
 * @throws Problem 404 if it does not exist, or belongs to another dialect
 */
export function taskWithoutKey(exchange: ServiceExchange): Task {
  const { sim, dialect, operation, namedTask: id = '' } = exchange
  const task = sim.tasks.get(id)
  if (task === undefined || task.dialect !== dialect.name || operation.action?.owns?.(task) === false)
    throw new Problem('task_not_found', `There is no task ${id.slice(0, 100)}.${evictionHint(sim)}`)
  exchange.taskId = id
  return task
}
