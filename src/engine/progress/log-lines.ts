import { Chance } from '../random.js'
import type { Plan, Task } from '../tasks/task.js'
import { instantOf, isReached, progressOf, type Sight } from './progress-of.js'

/** A line in the log of a task. */
export interface LogLine {
  /** Epoch milliseconds. For a task that ends at a poll, it is the start of the task, or its end. */
  readonly at: number
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
}

/** A line that appears at a progress. */
export interface PlannedLine {
  readonly progress: number
  readonly message: string
}

/**
 * The log of a task up to now: the model is loaded, steps follow, and the end comes last. A failed task ends with its
 * error. The same task always has the same log.
 */
export function logsOf(task: Task, sight: Sight): readonly LogLine[] {
  const { startedAt, completedAt = Infinity } = task
  if (startedAt === undefined) return endOf(task)
  const progress = progressOf(task, sight)
  const all = plannedLinesOf(task)
  const next = all.findIndex((line) => !isReached(line.progress, progress))
  const count = next === -1 ? all.length : next
  const known = shown.get(task)
  if (known?.count === count) return known.lines
  const reached = all.slice(0, count).map((line): LogLine => {
    const at = Math.min(instantOf(task, line.progress) ?? startedAt, completedAt)
    return { at, level: 'info', message: line.message }
  })
  const lines = [...reached, ...endOf(task)]
  shown.set(task, { count, lines })
  return lines
}

/** The lines at the latest sight, because clients poll the same unchanged task repeatedly. Tasks are immutable. */
const shown = new WeakMap<Task, { readonly count: number; readonly lines: readonly LogLine[] }>()
const planned = new WeakMap<Plan, readonly PlannedLine[]>()

/** The lines that a task logs until its end, in their order. A task that fails does not reach all of them. */
export function plannedLinesOf(task: Task): readonly PlannedLine[] {
  const known = planned.get(task.plan)
  if (known !== undefined) return known
  const lines = drawLines(task)
  planned.set(task.plan, lines)
  return lines
}

function drawLines({ id, model }: Task): readonly PlannedLine[] {
  const random = Chance.of(id).stream('logs')
  const loaded = 0.02 + 0.06 * random.float()
  const steps = 20 + random.int(31)
  const count = 4 + random.int(5)
  const lines = Array.from({ length: count }, (_, index) => {
    const share = (index + 1) / count
    const step = Math.round(steps * share)
    const message = `Step ${step} of ${steps} (${Math.floor((100 * step) / steps)}%)`
    return { progress: loaded + (0.97 - loaded) * share, message }
  })
  return [
    { progress: 0, message: `Loading ${model}` },
    { progress: loaded, message: 'Loaded the model' },
    ...lines,
  ]
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
