import { isTerminal, type Task } from '../engine/tasks/task.js'
import type { Dispatcher } from '../engine/webhooks/dispatcher.js'
import { eventOfEnd } from '../engine/webhooks/events/task-event.js'
import type { SimulatorParts } from './simulator-parts.js'

/**
 * Connects the parts of a simulator: each learns of the events in another part that concern it.
 * @param announce called with the events of tasks for which webhooks are sent
 */
export function connectParts(parts: SimulatorParts, announce: Dispatcher['announce']): void {
  followChanges(parts)
  // A recorder only observes a service, which charges and sends webhooks itself.
  if (parts.mirrored !== undefined) return
  chargeAccounts(parts)
  releaseWebhooksAfterPolls(parts)
  announceTasks(parts, announce)
}

/** Discards what depends on a task with it, and counts the polls of a loop anew after every change. */
function followChanges({ events, active, files, loops, exploring }: SimulatorParts): void {
  events.on('task.created', (task) => exploring.current?.addTask(task))
  const forget = (task: Task) => {
    active.requestPolicy.lastAnswers.delete(task.id)
    files.delete(task)
  }
  events.on('task.erased', forget)
  events.on('task.forgotten', forget)
  for (const change of ['task.started', 'task.finished', 'task.released'] as const)
    events.on(change, () => loops.clear())
  events.on('task.polled', ({ plan }) => {
    if (plan.outcome !== 'stuck') loops.clear()
  })
  events.on('control.used', (use) => {
    if (use !== 'clock') loops.clear()
  })
}

/** Charges the account of a task with its cost. */
function chargeAccounts({ events, active }: SimulatorParts): void {
  events.on('task.finished', (task) => active.requestPolicy.accounts.charge(task.owner, task.cost ?? 0))
}

/** Sends the webhooks that a fault holds back until the client has seen the end of their task in an answer. */
function releaseWebhooksAfterPolls({ events, webhooks }: SimulatorParts): void {
  events.on('request.answered', ({ operation, delivered, note }) => {
    if (!delivered || (operation !== 'tasks.retrieve' && operation !== 'tasks.list')) return
    if (note.observed === undefined) return
    for (const task of note.observed) if (isTerminal(task.status)) webhooks.sender.releasePolled(task.id)
  })
}

/** Announces what happens to tasks, for which webhooks are sent. */
function announceTasks({ events, live }: SimulatorParts, announce: Dispatcher['announce']): void {
  const start = (task: Task, isNew: boolean) => {
    if (task.follow !== undefined) live.of(task.dialect)?.followed.start(task)
    announce('task.started', task, { isNew })
  }
  events.on('task.created', (task) => {
    if (task.status === 'queued') announce('task.queued', task, { isNew: true })
    else start(task, true)
  })
  events.on('task.started', (task) => start(task, false))
  events.on('task.progressed', (task, what) => announce(what === 'logs' ? 'task.logs' : 'task.output', task))
  events.on('task.finished', (task) => {
    const event = eventOfEnd(task.status)
    if (event !== undefined) announce(event, task)
  })
}
