import { isoTime } from '../engine/clock/instants.js'
import { plannedEndOf, type Task } from '../engine/tasks/task.js'
import { eventOfEnd } from '../engine/webhooks/events/task-event.js'
import { eventReceivers } from '../engine/webhooks/receivers/event-receivers.js'
import { json } from '../exchange/exchange.js'
import type { Simulator } from '../simulator/simulator.js'
import { controlOperation } from './operation.js'
import type { UpcomingEventShape, UpcomingShape } from './shapes.js'

/** Something that will happen at a time in epoch milliseconds. */
interface Coming extends Pick<UpcomingEventShape, 'what' | 'task_id' | 'delivery_id'> {
  readonly at: number
}

export const readUpcoming = controlOperation('sim.clock.upcoming', {
  tag: 'Clock',
  summary: 'Read what happens next',
  description: 'Advance the clock to the time of an event to let it happen.',
  responses: { 200: { description: 'The next event of each type', json: 'Upcoming' } },
  async run({ sim }) {
    const coming = [...pendingAttempts(sim), ...(await runningTasks(sim))]
    const shape: UpcomingShape = {
      event: shapeOf(nextEvent(sim, coming)),
      webhook: shapeOf(first(coming.filter(({ what }) => what === 'webhook'))),
      url_expiry: shapeOf(await firstExpiry(sim)),
    }
    return json(200, shape)
  },
})

/** The schedule does not say what its jobs do, but no other event is due at the same millisecond by chance. */
function nextEvent({ clock: { next } }: Simulator, coming: readonly Coming[]): Coming | undefined {
  if (next === undefined) return undefined
  return coming.find(({ at }) => at === next) ?? { what: 'other', at: next }
}

function pendingAttempts({ webhooks }: Simulator): Coming[] {
  return [...webhooks.log.pending()].flatMap(({ id, taskId, nextAt: at }) =>
    at === undefined ? [] : [{ what: 'webhook', at, task_id: taskId, delivery_id: id }],
  )
}

/** The earliest event of each type of the tasks that have not ended. The webhook of an end comes before the end. */
async function runningTasks(sim: Simulator): Promise<Coming[]> {
  const found = new Map<Coming['what'], Coming>()
  const add = (what: Coming['what'], at: number, { id }: Task) => {
    if (at < (found.get(what)?.at ?? Infinity)) found.set(what, { what, at, task_id: id })
  }
  await visit(sim, 'queued', (task) => {
    const start = startOf(task)
    if (start < sim.clock.now()) return
    add('task_start', start, task)
    const end = endOf(task, start, sim)
    if (end !== undefined && end < (found.get('webhook')?.at ?? Infinity) && isAnnounced(task, sim))
      add('webhook', end, task)
  })
  await visit(sim, 'processing', (task) => {
    const end = endOf(task, task.startedAt ?? task.createdAt, sim)
    if (end === undefined) return
    add('task_end', end, task)
    if (end < (found.get('webhook')?.at ?? Infinity) && isAnnounced(task, sim)) add('webhook', end, task)
  })
  const { webhook, ...others } = Object.fromEntries(found)
  return [webhook, ...Object.values(others)].filter((each) => each !== undefined)
}

/** Calls a function with each task in a state, without a list of them all. */
async function visit(
  { tasks }: Simulator,
  status: Task['status'],
  look: (task: Task) => void,
): Promise<void> {
  const matches = (task: Task) => {
    look(task)
    return false
  }
  await tasks.list({ status, limit: 1, matches })
}

/** When a queued task starts, if it does not wait for a slot. */
function startOf({ createdAt, plan }: Task): number {
  return createdAt + plan.queueing
}

/** When a task ends by itself; undefined if it waits for a poll or a person. */
function endOf({ id, plan, createdAt }: Task, startedAt: number, sim: Simulator): number | undefined {
  const end = sim.tasks.isHeld(id) ? undefined : plannedEndOf({ plan, createdAt, startedAt })
  return end === undefined ? undefined : Math.max(end, sim.clock.now())
}

/** Whether any receiver gets a webhook when the task ends. */
function isAnnounced(task: Task, { dialects, scenario, webhooks }: Simulator): boolean {
  const format = dialects.get(task.dialect)?.webhooks(scenario)
  const event = eventOfEnd(task.plan.outcome)
  if (format === undefined || event === undefined) return false
  return eventReceivers(webhooks.receivers.list(), event, task, format).length > 0
}

/** The first expiry of the latest URLs that a client got of a task. */
async function firstExpiry(sim: Simulator): Promise<Coming | undefined> {
  const lastPolls = sim.scenario.outputs.renew ? lastPollsOf(sim) : new Map<string, number>()
  const now = sim.clock.now()
  let next: Coming | undefined
  await visit(sim, 'succeeded', (task) => {
    const { id, dialect, completedAt = 0, result } = task
    if (!result?.files || sim.outputs.isGone(task, now)) return
    const given = Math.max(completedAt, lastPolls.get(id) ?? 0)
    // URLs contain their expiry in whole seconds.
    const at = Math.ceil((given + sim.outputs.lifetimeOf(dialect)) / 1_000) * 1_000
    if (at > now && at < (next?.at ?? Infinity)) next = { what: 'url_expiry', at, task_id: id }
  })
  return next
}

/** When each task was last polled. With `outputs.renew`, each poll returns URLs with a new expiry. */
function lastPollsOf({ journal }: Simulator): Map<string, number> {
  const polls = new Map<string, number>()
  for (const entry of journal.entries()) {
    if (entry.type !== 'request') continue
    const { taskId, operation, status } = entry.request
    if (taskId !== undefined && operation === 'tasks.retrieve' && status === 200) polls.set(taskId, entry.at)
  }
  return polls
}

function first(events: readonly Coming[]): Coming | undefined {
  return events.reduce<Coming | undefined>(
    (found, each) => (each.at < (found?.at ?? Infinity) ? each : found),
    undefined,
  )
}

function shapeOf(coming: Coming | undefined): UpcomingEventShape | undefined {
  return coming && { ...coming, at: isoTime(coming.at) }
}
