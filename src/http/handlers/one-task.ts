import type { Call } from '../../dialects/call.js'
import type { Answer } from '../../dialects/table/answers/task-answer.js'
import type { Awaitable } from '../../engine/awaitable.js'
import type { LastAnswer } from '../../engine/requests/request-policy.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { lastAnswerAbout } from '../../inspect/journal/last-answer.js'
import type { Simulator } from '../../simulator/simulator.js'
import { missingTask } from '../missing-task.js'
import type { ServiceExchange } from '../operation.js'
import { recordedAnswerTo } from '../recorded-answer.js'

/**
 * The task in the path.
 * @throws Problem 404 if it does not exist, or belongs to another key or dialect
 */
export function ownTask(exchange: ServiceExchange): Task {
  const { namedTask: id = '' } = exchange
  const task = visibleTask(id, exchange)
  if (task === undefined) throw missingTask(id, exchange)
  exchange.taskId = id
  return task
}

/** The task with an id, if it is of the key and the dialect of a request, and of the type of the operation. */
export function visibleTask(id: string, exchange: ServiceExchange): Task | undefined {
  const { sim, key, dialect, operation } = exchange
  const task = sim.tasks.get(id)
  return task?.owner === key && task.dialect === dialect.name && operation.owns?.(task) !== false
    ? task
    : undefined
}

/**
 * Waits until a task has ended, or the client has disconnected; the wait counts as one poll. The task may have
 * disappeared in the meantime, because a client has deleted it.
 */
export async function taskAfterWait(
  { sim, note, request }: ServiceExchange,
  task: Task,
  wait: number,
): Promise<Task> {
  note.wait = wait
  return (await sim.live.of(task.dialect)?.waits.untilEnd(task.id, wait, request.signal)) ?? task
}

/**
 * Answers with the state or the result of a task, and notes what the client has seen.
 * @param check checks the task as the client sees it
 */
export function answerAbout(
  current: Task,
  answer: Answer,
  exchange: ServiceExchange,
  check?: (task: Task, call: Call) => void,
): Awaitable<Reply> {
  const { operation, route, dialect, note } = exchange
  const { task, call } = exchange.fault?.showsStale
    ? staleView(current, exchange)
    : { task: current, call: exchange }
  check?.(task, call)
  note.observed = [{ id: task.id, status: task.status }]
  if (task.plan.recorded === undefined) return answer(task, call)
  return recordedAnswerTo(operation.id, route?.path ?? '', task, call, dialect) ?? answer(task, call)
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
    today: () => sim.today(),
    mayCall: (url) => sim.mayCall(url),
  }
}
