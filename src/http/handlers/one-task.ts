import type { CancelAction, DeleteAction, ResultAction, TaskAction } from '../../dialects/action.js'
import type { Call } from '../../dialects/call.js'
import { type Awaitable, isPromise } from '../../engine/awaitable.js'
import type { LastAnswer } from '../../engine/requests/request-policy.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { evictionHint, Problem } from '../../exchange/problem.js'
import { lastAnswerAbout } from '../../inspect/journal/last-answer.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { ServiceExchange, ServiceOperation } from '../operation.js'
import { isOwn } from '../own-task.js'
import { recordedAnswer, recordedAnswerTo } from '../recorded-answer.js'

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

/** A task, and the request in whose answer to show it. */
interface View {
  readonly task: Task
  readonly call: Call
}

/**
 * The task as it was when its client last saw it, and the request as if it had been sent then: a fault asks for an answer
 * that does not know the latest changes. Without an earlier answer, the task is as it is now.
 */
function staleView(task: Task, exchange: ServiceExchange): View {
  const { sim, request, params, key } = exchange
  const last = sim.requestPolicy.lastAnswers.get(task.id) ?? lastAnswerAbout(task, sim.journal)
  if (last === undefined) return { task, call: exchange }
  const { polls = sim.tasks.pollsOf(task.id) } = task
  return {
    task: taskIn({ ...task, polls: polls && polls - 1 }, last),
    call: { request, params, key, sim: stateAt(last.at, sim) },
  }
}

/** A task in the state that an answer has shown. */
function taskIn(task: Task, { status, at }: LastAnswer): Task {
  if (isTerminal(status)) return task
  const wasQueued = status === 'queued' || (task.startedAt ?? Infinity) > at
  return {
    ...task,
    status: wasQueued ? 'queued' : 'processing',
    startedAt: wasQueued ? undefined : task.startedAt,
    completedAt: undefined,
    result: undefined,
    error: undefined,
    cost: undefined,
  }
}

/** The state of a service whose clock shows an earlier instant. */
function stateAt(at: number, sim: Simulator): Call['sim'] {
  const { scenario, identity, partition, tasks, live, outputs, files } = sim
  return {
    ...{ scenario, identity, partition, tasks, live, outputs, files },
    clock: { now: () => at },
    publicOrigin: (origin) => sim.publicOrigin(origin),
    mayCall: (url) => sim.mayCall(url),
  }
}
