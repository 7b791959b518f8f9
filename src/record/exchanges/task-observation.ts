import type { SeenOrder } from '../../dialects/reading/read-order.js'
import type { SeenTask } from '../../dialects/reading/seen-task.js'
import { isTerminal } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'

/** What the exchanges so far show about a task. */
export interface TaskObservation {
  readonly order: SeenOrder | undefined
  /** When the request that created the task was sent, or the first answer that shows it. */
  readonly firstAt: number
  last: SeenTask
  /** When the first answer arrived that shows it in processing. */
  startSeenAt: number | undefined
  endSeenAt: number | undefined
  /** When the first of the last answers arrived whose word the dialect does not know. */
  unknownSeenAt: number | undefined
  /** Whether the service has accepted a request to cancel the task before its end. */
  wasCanceled: boolean
}

type Times = Pick<ObservedTask, 'createdAt' | 'startedAt' | 'endedAt'>

/** When a task was created, started and ended: as the service shows it, or as its client saw it. */
export function timesOf({ last, firstAt, startSeenAt, endSeenAt }: TaskObservation): Times {
  const createdAt = last.createdAt ?? firstAt
  const isEnded = last.status !== undefined && isTerminal(last.status)
  const shownStart = last.startedAt ?? sum(createdAt, last.queueMs)
  const shownEnd = isEnded ? (last.endedAt ?? sum(shownStart, last.runMs)) : undefined
  const seenEnd = isEnded ? earliest(endSeenAt, sum(startSeenAt, last.runMs)) : undefined
  const endedAt = shownEnd ?? seenEnd
  const startedAt = shownStart ?? (isEnded ? sum(endedAt, negative(last.runMs)) : undefined) ?? startSeenAt
  const start = startedAt && Math.max(createdAt, startedAt)
  return { createdAt, startedAt: start, endedAt: endedAt && Math.max(start ?? createdAt, endedAt) }
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.round(one + other)
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? one : Math.min(one, other)
}
