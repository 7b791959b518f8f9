import { isTerminal, type Plan, type Status } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'

/** An answer that shows the state of a task. Times are epoch milliseconds. */
export interface ShownState {
  /** When the client asked. */
  readonly at: number
  /** When the answer had arrived. */
  readonly answeredAt: number
  readonly status: Status
  /** The word of the state, if the dialect does not know it; `status` is then a guess. */
  readonly unknownWord?: string | undefined
}

/** When a task left the queue and ended: milliseconds after its create request. */
export interface Timeline {
  /** Undefined if it was never seen to have started. */
  readonly start: number | undefined
  /** Undefined if it was never seen to have ended. */
  readonly end: number | undefined
  /** How it ended, if it did. */
  readonly ended: Status | undefined
  /** The last time at which it was seen before its end. */
  readonly lastOpen: number
}

/** An answer that takes longer was held back, so its state is that of its end. */
const SLOW = 1_000

/**
 * The course of a task, as its answers show it. The times that the service states are used as far as they agree with the
 * answers: they may be whole seconds of another clock.
 * @param zero when the task was ordered, in epoch milliseconds
 * @param states in the order of the requests
 */
export function timelineOf(
  { status, startedAt, endedAt }: ObservedTask,
  zero: number,
  states: readonly ShownState[],
): Timeline {
  const times = states.map((state) => ({ ...state, time: timeOf(state) - zero }))
  const before = (isAfter: (status: Status) => boolean, stated: number | undefined) => {
    const first = times.find((state) => isAfter(state.status))
    const last = times.findLast((state) => !isAfter(state.status) && state !== first)
    return within(stated && latest(stated) - zero, last && last.time + 1, first?.time)
  }
  const end = isTerminal(status) ? before(isTerminal, endedAt) : undefined
  const wasQueued = times.some((state) => state.status === 'queued')
  const start = wasQueued ? before((shown) => shown !== 'queued', startedAt) : 0
  return {
    start: start === undefined || end === undefined ? start : Math.min(start, end),
    end,
    ended: end === undefined ? undefined : status,
    lastOpen: Math.max(0, ...times.filter((state) => !isTerminal(state.status)).map(({ time }) => time)),
  }
}

/** The state of a task at an age in milliseconds. */
export function statusAt({ start, end, ended }: Timeline, age: number): Status {
  if (ended !== undefined && end !== undefined && age >= end) return ended
  return start !== undefined && age >= start ? 'processing' : 'queued'
}

/** What a plan says about the times of a task, and how it ends. */
export function courseOf(
  { start, end, ended, lastOpen }: Timeline,
  learned: Plan,
  isCanceledByClient: boolean,
): Pick<Plan, 'queueing' | 'end' | 'outcome'> {
  const queueing = start ?? Math.max(learned.queueing, lastOpen + 1)
  if (ended !== undefined && ended !== 'processing' && ended !== 'queued' && !isCanceledByClient)
    return { queueing, end: { after: (end ?? queueing) - queueing }, outcome: ended }
  const known = Math.max(lastOpen, end ?? 0) - queueing
  const after = 'after' in learned.end ? { after: Math.max(learned.end.after, known + 1) } : learned.end
  return { queueing, end: after, outcome: learned.outcome }
}

function timeOf({ at, answeredAt }: ShownState): number {
  return answeredAt - at > SLOW ? answeredAt : at
}

/** The latest instant that a stated time may mean: some services state whole seconds. */
function latest(stated: number): number {
  return stated % 1_000 === 0 ? stated + 999 : stated
}

function within(
  value: number | undefined,
  least: number | undefined,
  most: number | undefined,
): number | undefined {
  if (value === undefined) return most
  return Math.max(0, Math.min(Math.max(value, least ?? value), most ?? value))
}
