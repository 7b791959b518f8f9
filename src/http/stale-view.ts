import type { Call } from '../dialects/call.js'
import type { LastAnswer } from '../engine/requests/last-answers.js'
import { isTerminal, type Task } from '../engine/tasks/task.js'
import { lastAnswerAbout } from '../inspect/journal/last-answer.js'
import type { Simulator } from '../simulator.js'
import type { ServiceExchange } from './operation.js'

/** A task, and the request in whose answer to show it. */
interface View {
  readonly task: Task
  readonly call: Call
}

/**
 * The task as it was when its client last saw it, and the request as if it had been sent then: a fault asks for an answer
 * that does not know the latest changes. Without an earlier answer, the task is as it is now.
 */
export function staleView(task: Task, exchange: ServiceExchange): View {
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
