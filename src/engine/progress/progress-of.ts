import { Chance } from '../random.js'
import { Recent } from '../recent.js'
import type { Task } from '../tasks/task.js'

/** The point in time at which to look at a task. */
export interface ProgressPoint {
  /** Epoch milliseconds. */
  readonly now: number
  /** The polls that were counted so far, if the task ends at a poll; see `Engine.pollsOf`. */
  readonly polls?: number | undefined
}

/** Up to this progress, a task progresses at a steady pace. After it, progress slows down until the task ends. */
const STEADY = 0.99

/** The highest progress of a task that has not succeeded. */
const HIGHEST = 0.999_999

/** A greater progress than any rounding error, and smaller than any step that matters. */
export const ROUNDING = 1e-9

/**
 * The progress of a task from 0 to 1. It is 0 in the queue, never decreases, and is 1 only after a success. A task that
 * fails or is canceled keeps the progress that it had. A task that is stuck or held approaches 1.
 */
export function progressOf(task: Task, point: ProgressPoint): number {
  if (task.status === 'succeeded') return 1
  return finalShare(task) * slowedDown(shareOfPlan(task, point))
}

/**
 * When a task reaches a progress, if it ends after a time.
 * @returns epoch milliseconds, which may be later than its end; undefined if it never reaches the progress before its
 * end, has not started, or ends at a poll
 */
export function instantOf(task: Task, progress: number): number | undefined {
  const { startedAt, plan } = task
  const target = progress / finalShare(task)
  if (startedAt === undefined || 'polls' in plan.end || target > HIGHEST) return undefined
  const share = target <= STEADY ? target : (STEADY * (1 - STEADY)) / (1 - target)
  return startedAt + Math.ceil((share - ROUNDING) * Math.max(1, plan.end.after))
}

/**
 * Until when a running task certainly stays below a progress that it has not reached, unless it changes.
 * @returns epoch milliseconds; 0 if a poll may bring it there, or rounding may
 */
export function belowUntil(task: Task, progress: number): number {
  if ('polls' in task.plan.end) return 0
  const latest = (instantOf(task, progress) ?? Infinity) - 1
  // The instant may be rounded.
  return isReached(progress, progressOf(task, { now: latest })) ? 0 : latest
}

/** Whether a task has reached a progress, apart from rounding errors. */
export function isReached(target: number, progress: number): boolean {
  return target <= progress + ROUNDING
}

/** The share of the planned time or polls that has passed. It exceeds 1 if a task is late. */
function shareOfPlan({ startedAt, completedAt, polls, plan: { end } }: Task, point: ProgressPoint): number {
  if (startedAt === undefined) return 0
  if ('polls' in end) return (polls ?? point.polls ?? 0) / end.polls
  return Math.max(0, (completedAt ?? point.now) - startedAt) / Math.max(1, end.after)
}

function slowedDown(share: number): number {
  if (share <= STEADY) return share
  return Math.min(Math.max(STEADY, 1 - (STEADY * (1 - STEADY)) / share), HIGHEST)
}

/** The draws of recently polled tasks: a draw takes as long as a whole poll. */
const drawn = new Recent<string, number>()

/** The progress at which a task ends as planned: a failure comes somewhere on the way. */
function finalShare({ id, plan: { outcome } }: Task): number {
  if (outcome !== 'failed' && outcome !== 'canceled') return 1
  const known = drawn.get(id)
  if (known !== undefined) return known
  const share = 0.2 + 0.7 * Chance.of(id).stream('progress').float()
  drawn.set(id, share)
  return share
}

/** The number of steps in which services show progress. */
const STEPS = 100

/** Progress as services show it: in steps of 0.01. It is 1 only at the end. */
export function shownProgress(progress: number): number {
  return Math.floor((progress + ROUNDING) * STEPS) / STEPS
}

/** The progress of the next step. */
export function nextShownProgress(progress: number): number {
  return (Math.floor((progress + ROUNDING) * STEPS) + 1) / STEPS
}
