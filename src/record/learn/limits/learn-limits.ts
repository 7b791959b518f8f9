import type { ModelHistory } from '../model-history.js'
import { fifoStarts } from './fifo-starts.js'
import { type FoundLimit, findLimit } from './find-limit.js'
import { findShownLimit } from './find-shown-limit.js'
import { type Flow, flowOf } from './flow.js'

/** A limit on the running tasks of a model, of all models of a kind, or of all models. */
export interface LearnedLimit extends FoundLimit {
  readonly scope: 'all' | 'kinds' | 'models'
  /** The id of the model, or the name of the kind; empty for all models. */
  readonly name: string
}

/** The limits, and the starts of tasks that follow from them. */
export interface LearnedLimits {
  readonly limits: readonly LearnedLimit[]
  /** Epoch milliseconds for each task of a model with a limit; NaN: it never started. */
  readonly starts: ReadonlyMap<ModelHistory, Float64Array>
}

/** The share of tasks whose start must be known. */
const MOST = 0.9

/** Learns limits: of all models, of kinds, or of single models, whichever explains the history best. */
export function learnLimits(models: readonly ModelHistory[]): LearnedLimits {
  const single = models.flatMap((model) => limitOf('models', model.model, [model]))
  const kinds = [...new Set(models.map(({ kind }) => kind))].flatMap((kind) => {
    const group = models.filter((model) => model.kind === kind)
    const own = single.filter(({ flow }) => flow.models.some((model) => model.kind === kind))
    return larger(group.length > 1 && group.length < models.length ? limitOf('kinds', kind, group) : [], own)
  })
  const found = larger(models.length > 1 ? limitOf('all', '', models) : [], kinds)
  const starts = new Map<ModelHistory, Float64Array>()
  for (const { flow, limit } of found) addStarts(starts, flow, limit.running)
  return { limits: found.map(({ limit }) => limit), starts }
}

/** A limit, and the tasks to which it applies. */
interface Candidate {
  readonly limit: LearnedLimit
  readonly flow: Flow
}

/** @returns a list with the limit; empty if there is none */
function limitOf(scope: LearnedLimit['scope'], name: string, group: readonly ModelHistory[]): Candidate[] {
  const flow = flowOf(group)
  const found = showsStarts(flow) ? findShownLimit(flow) : findLimit(flow)
  return found === undefined ? [] : [{ limit: { scope, name, ...found }, flow }]
}

/** The limits that explain more. */
function larger(one: readonly Candidate[], other: readonly Candidate[]): readonly Candidate[] {
  const gain = (candidates: readonly Candidate[]) =>
    candidates.reduce((sum, { limit }) => sum + limit.gain, 0)
  return gain(one) > gain(other) ? one : other
}

/** Whether a history shows when tasks started. */
export function showsStarts({ started, isComplete }: Flow): boolean {
  const complete = isComplete.reduce((sum, flag) => sum + flag, 0)
  return started.reduce((sum, start) => sum + (Number.isNaN(start) ? 0 : 1), 0) >= MOST * complete
}

/** Adds the starts that follow from a limit. */
export function addStarts(starts: Map<ModelHistory, Float64Array>, flow: Flow, running: number): void {
  for (const model of flow.models) starts.set(model, new Float64Array(model.created.length).fill(Number.NaN))
  const columns = flow.models.map((model) => starts.get(model))
  for (const [index, start] of fifoStarts(flow, running).entries()) {
    const column = columns[flow.model[index] ?? 0]
    if (column !== undefined) column[flow.position[index] ?? 0] = start
  }
}
