import type { ModelHistory } from './histories.js'

/** A limit on the running tasks of a model, of all models of a kind, or of all models. */
export interface LearnedLimit {
  readonly scope: 'all' | 'kinds' | 'models'
  /** The id of the model, or the name of the kind; empty for all models. */
  readonly name: string
  readonly running: number
  /** How many of the compared tasks waited. */
  readonly waited: number
  readonly samples: number
}

/** Whether a limit applies to the tasks of a model. */
export function applies(
  { scope, name }: Pick<LearnedLimit, 'scope' | 'name'>,
  { model, kind }: ModelHistory,
): boolean {
  return scope === 'all' || name === (scope === 'kinds' ? kind : model)
}

/** The share of completed tasks whose start must be known. */
const MOST = 0.9
const MIN_WAITING = 20
/** The share of waiting tasks that must start when a slot becomes free. */
const ENOUGH = 0.95
/** Milliseconds that do not count as waiting. */
const PRECISION = 250

/** Whether a history shows when tasks started. */
export function showsStarts(models: readonly ModelHistory[]): boolean {
  let [completed, known] = [0, 0]
  for (const history of models) {
    for (const [index, isCompleted] of history.completed.values.entries()) {
      completed += isCompleted
      if (isCompleted === 1 && !Number.isNaN(history.started.values[index] ?? Number.NaN)) known += 1
    }
  }
  return completed > 0 && known >= MOST * completed
}

/**
 * Finds limits in the starts that a history shows: of all models, of kinds, or of single models, whichever explains more
 * waiting tasks.
 */
export function learnLimits(models: readonly ModelHistory[]): LearnedLimit[] {
  if (!showsStarts(models)) return []
  const kinds = [...new Set(models.map(({ kind }) => kind))].flatMap((kind) => {
    const group = models.filter((model) => model.kind === kind)
    const single = group.flatMap((model) => limitOf('models', model.model, [model]))
    return group.length === 1 || group.length === models.length
      ? single
      : larger(limitOf('kinds', kind, group), single)
  })
  return models.length === 1 ? kinds : larger(limitOf('all', '', models), kinds)
}

/** The limits that explain more waiting tasks; those of single models if both explain the same. */
function larger(one: LearnedLimit[], other: LearnedLimit[]): LearnedLimit[] {
  const waited = (limits: readonly LearnedLimit[]) => limits.reduce((sum, limit) => sum + limit.waited, 0)
  return waited(one) > waited(other) ? one : other
}

/** @returns a list with the limit; empty if there is none, or if too few tasks waited */
function limitOf(scope: LearnedLimit['scope'], name: string, group: readonly ModelHistory[]): LearnedLimit[] {
  const starts = startsOf(group)
  const running = mostRunning(starts)
  const waiting = starts.filter(({ wait }) => wait > PRECISION)
  const explained = waiting.filter((start) => start.running === running).length
  if (waiting.length < MIN_WAITING || explained < ENOUGH * waiting.length) return []
  return [{ scope, name, running, waited: waiting.length, samples: starts.length }]
}

/** The largest number of tasks that ran at the same time. */
export function mostRunningIn(group: readonly ModelHistory[]): number {
  return mostRunning(startsOf(group))
}

function mostRunning(starts: readonly Start[]): number {
  return starts.reduce((most, { running }) => Math.max(most, running), 0)
}

/** The start of a task. */
interface Start {
  readonly at: number
  /** How long the task had been queued, in milliseconds. */
  readonly wait: number
  /** How many tasks ran after all starts of this instant. */
  running: number
}

/** The starts of the tasks of some models, in their order. */
function startsOf(group: readonly ModelHistory[]): Start[] {
  const starts: Start[] = []
  const ends: number[] = []
  for (const { created, started, ended } of group) {
    for (const [index, at] of started.values.entries()) {
      if (Number.isNaN(at)) continue
      starts.push({ at, wait: at - (created.values[index] ?? at), running: 0 })
      const end = ended.values[index] ?? Number.NaN
      ends.push(Number.isNaN(end) ? Infinity : end)
    }
  }
  starts.sort((one, other) => one.at - other.at)
  const sortedEnds = Float64Array.from(ends).sort()
  let closed = 0
  for (const [index, start] of starts.entries()) {
    while ((sortedEnds[closed] ?? Infinity) <= start.at) closed += 1
    start.running = index + 1 - closed
  }
  for (let index = starts.length - 2; index >= 0; index--) {
    const [start, next] = [starts[index], starts[index + 1]]
    if (start !== undefined && next?.at === start.at) start.running = next.running
  }
  return starts
}
