import type { JsonObject } from '../../engine/json.js'
import type { OperationName } from '../../engine/requests/operations.js'
import { isTerminal, type Plan, type Status } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'

/** A recorded text about a task. */
export interface TracedText {
  /** When its request was sent, in epoch milliseconds. */
  readonly at: number
  /** The state that it shows; undefined if it shows none. */
  readonly status: Status | undefined
  /** The word of the state, if the dialect does not know it. */
  readonly unknownWord?: string | undefined
  readonly text: string
}

/** A recorded answer. */
export interface TracedAnswer extends TracedText {
  readonly operation: OperationName
  readonly route: string
  /** The status of HTTP. */
  readonly code: number
  /** Those that are repeated, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}

/** A recorded stream. */
export interface TracedStream {
  readonly operation: OperationName
  readonly route: string
  readonly contentType: string
  /** When each was sent, in epoch milliseconds, and its text. */
  readonly pieces: readonly (readonly [at: number, text: string])[]
}

/** An order that the service has rejected. */
export interface Rejection {
  /** When it was sent, in epoch milliseconds. */
  readonly zero: number
  readonly model: string
  readonly input: JsonObject
  readonly inputText: string
  readonly answer: TracedAnswer
}

/** Everything that a recording has about a task whose create request it has. */
export interface Trace {
  readonly id: string
  /** When it was ordered, in epoch milliseconds. */
  readonly zero: number
  readonly model: string | undefined
  readonly input: JsonObject
  readonly inputText: string
  /** The answer to the create request, unless that was a stream. */
  readonly created: TracedAnswer | undefined
  readonly states: ShownState[]
  readonly answers: TracedAnswer[]
  /** The task in lists. */
  readonly items: TracedText[]
  readonly streams: TracedStream[]
  readonly webhooks: TracedText[]
  /** Whether the client has canceled it. */
  isCanceled: boolean
}

/** An answer that shows the state of a task. Times are epoch milliseconds. */
interface ShownState {
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
 * When a task left the queue and ended, as its answers show it. The times that the service states are used as far as they agree with the
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
export function planTimes(
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
