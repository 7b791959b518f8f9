import type { ModelHistory } from '../model-history.js'

/** The tasks of some models in the order of their creation. Times are epoch milliseconds. */
export interface Flow {
  readonly created: Float64Array
  /** NaN: unknown. */
  readonly started: Float64Array
  /** Infinity: not yet. */
  readonly ended: Float64Array
  /** The model of each task, as an index into `models`. */
  readonly model: Uint32Array
  /** The position of each task in the history of its model. */
  readonly position: Uint32Array
  /** 1 if the task succeeded or failed, so that it started and ended by itself. */
  readonly isComplete: Uint8Array
  /** 1 if the task may have never started: it is queued or canceled. */
  readonly mayLackStart: Uint8Array
  readonly models: readonly ModelHistory[]
}

/** Merges the histories of models. */
export function flowOf(models: readonly ModelHistory[]): Flow {
  const size = models.reduce((sum, { created }) => sum + created.length, 0)
  const unsorted = {
    model: new Uint32Array(size),
    position: new Uint32Array(size),
    created: new Float64Array(size),
  }
  let at = 0
  for (const [model, { created }] of models.entries()) {
    for (const [position, time] of created.values.entries()) {
      unsorted.model[at] = model
      unsorted.position[at] = position
      unsorted.created[at++] = time
    }
  }
  const order = Uint32Array.from({ length: size }, (_, index) => index)
  const { created } = unsorted
  // Tasks of the same millisecond stay in the order of the history.
  order.sort((one, other) => (created[one] ?? 0) - (created[other] ?? 0) || one - other)
  return fill(
    models,
    order.map((index) => unsorted.model[index] ?? 0),
    order.map((index) => unsorted.position[index] ?? 0),
  )
}

function fill(models: readonly ModelHistory[], model: Uint32Array, position: Uint32Array): Flow {
  const size = model.length
  const columns = models.map(
    ({ created, started, ended }) => [created.values, started.values, ended.values] as const,
  )
  const flow = {
    created: new Float64Array(size),
    started: new Float64Array(size),
    ended: new Float64Array(size),
    isComplete: new Uint8Array(size),
    mayLackStart: new Uint8Array(size),
  }
  for (let index = 0; index < size; index++) {
    const [of, at] = [model[index] ?? 0, position[index] ?? 0]
    const [created, started, ended] = columns[of] ?? []
    const status = models[of]?.statusAt(at)
    const end = ended?.[at] ?? Number.NaN
    flow.created[index] = created?.[at] ?? 0
    flow.started[index] = started?.[at] ?? Number.NaN
    flow.ended[index] = Number.isNaN(end) ? Infinity : end
    flow.isComplete[index] = (status === 'succeeded' || status === 'failed') && !Number.isNaN(end) ? 1 : 0
    flow.mayLackStart[index] = status === 'queued' || status === 'canceled' ? 1 : 0
  }
  return { ...flow, model, position, models }
}

/**
 * The last tasks of a flow. The earlier tasks that were open at the creation of the first one stay, because the starts of
 * the others depend on their ends; they are marked as incomplete, because their own starts are unknown.
 */
export function lastOf(flow: Flow, count: number): Flow {
  const { created, ended } = flow
  const from = Math.max(0, created.length - count)
  if (from === 0) return flow
  const cut = created[from] ?? 0
  const kept = Uint32Array.from(created.keys()).filter((index) => index >= from || (ended[index] ?? 0) > cut)
  return {
    created: pick(created, kept),
    started: pick(flow.started, kept),
    ended: pick(ended, kept),
    model: kept.map((index) => flow.model[index] ?? 0),
    position: kept.map((index) => flow.position[index] ?? 0),
    isComplete: Uint8Array.from(kept, (index) => (index < from ? 0 : (flow.isComplete[index] ?? 0))),
    mayLackStart: Uint8Array.from(kept, (index) => flow.mayLackStart[index] ?? 0),
    models: flow.models,
  }
}

function pick(values: Float64Array, indexes: Uint32Array): Float64Array {
  return Float64Array.from(indexes, (index) => values[index] ?? Number.NaN)
}

/** The largest number of tasks that were open at the same time. */
export function mostOpen({ created, ended }: Flow): number {
  const ends = ended.toSorted()
  let [most, closed] = [0, 0]
  for (const [index, time] of created.entries()) {
    while ((ends[closed] ?? Infinity) <= time) closed += 1
    most = Math.max(most, index + 1 - closed)
  }
  return most
}
