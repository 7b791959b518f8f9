import { Chance } from '../random.js'
import { Recent } from '../recent.js'
import type { Task } from '../tasks/task.js'
import { belowUntil, instantOf, isReached, type ProgressPoint, progressOf } from './progress-of.js'

/** A line in the log of a task. */
export interface LogLine {
  /** Epoch milliseconds. For a task that ends at a poll, it is the start of the task, or its end. */
  readonly at: number
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
}

/** The draws of a log. */
interface LogPlan {
  /** The progress at which the model is loaded. */
  readonly loaded: number
  /** The number of steps that the model takes. */
  readonly steps: number
  /** How many lines tell the number of steps that were taken. */
  readonly count: number
}

/** The lines before those about steps. */
const BEFORE_STEPS = 2
/** The progress at which all steps were taken. */
const ALL_STEPS = 0.97

/**
 * The log of a task up to now: the model is loaded, steps follow, and the end comes last. A failed task ends with its
 * error. The same task always has the same log.
 */
export function logsOf(task: Task, point: ProgressPoint): readonly LogLine[] {
  const { startedAt, completedAt = Infinity } = task
  if (startedAt === undefined) return endOf(task)
  const lines = Array.from({ length: reachedOf(task, point) }, (_, index): LogLine => {
    const at = Math.min(instantOf(task, progressOfLine(task, index) ?? 0) ?? startedAt, completedAt)
    return { at, level: 'info', message: messageAt(task, index) }
  })
  return [...lines, ...endOf(task)]
}

/** The number of lines before the last one that a task has reached. */
function reachedOf(task: Task, point: ProgressPoint): number {
  const progress = progressOf(task, point)
  let index = 0
  while (isReached(progressOfLine(task, index) ?? Infinity, progress)) index += 1
  return index
}

/**
 * Until when the log of a task stays the same if the task does not change.
 * @returns epoch milliseconds; 0 if a poll may change it
 */
export function logSameUntil(task: Task, point: ProgressPoint): number {
  if (task.status !== 'processing') return Infinity
  const next = progressOfLine(task, reachedOf(task, point))
  return next === undefined ? Infinity : belowUntil(task, next)
}

/**
 * The progress at which a task logs a line, by the index of the line. A task that fails does not reach all of them.
 * @returns undefined if there is no such line before the end
 */
export function progressOfLine(task: Task, index: number): number | undefined {
  const { loaded, count } = planOf(task)
  if (index < BEFORE_STEPS) return index === 0 ? 0 : loaded
  const share = shareOf(index, count)
  return share > 1 ? undefined : loaded + (ALL_STEPS - loaded) * share
}

function messageAt(task: Task, index: number): string {
  const { steps, count } = planOf(task)
  if (index < BEFORE_STEPS) return index === 0 ? `Loading ${task.model}` : 'Loaded the model'
  const step = Math.round(steps * shareOf(index, count))
  return `Step ${step} of ${steps} (${Math.floor((100 * step) / steps)}%)`
}

/** The share of the steps that a line tells. */
function shareOf(index: number, count: number): number {
  return (index + 1 - BEFORE_STEPS) / count
}

/** The draws of recent tasks, by id: several tasks may share a plan. */
const drawn = new Recent<string, LogPlan>()

function planOf({ id }: Task): LogPlan {
  const known = drawn.get(id)
  if (known !== undefined) return known
  const random = Chance.of(id).stream('logs')
  const draws = { loaded: 0.02 + 0.06 * random.float(), steps: 20 + random.int(31), count: 4 + random.int(5) }
  drawn.set(id, draws)
  return draws
}

function endOf({ status, error, completedAt: at, startedAt = at }: Task): LogLine[] {
  if (at === undefined || startedAt === undefined) return []
  switch (status) {
    case 'succeeded':
      return [{ at, level: 'info', message: `Finished in ${((at - startedAt) / 1_000).toFixed(1)} s` }]
    case 'failed':
      return [
        { at, level: 'error', message: error === undefined ? 'Failed' : `${error.code}: ${error.message}` },
      ]
    case 'canceled':
      return [{ at, level: 'warning', message: 'Canceled' }]
    default:
      return []
  }
}
