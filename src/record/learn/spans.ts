import type { ModelHistory } from './model-history.js'

/** How long tasks of a model take, in milliseconds, sorted. */
export interface Spans {
  /** From start to end, of each task that succeeded or failed. */
  readonly processing: Float64Array
  /** From creation to start, if the history shows starts that no limit explains. */
  readonly queueing: Float64Array
}

/** @param limited the starts that follow from a limit */
export function spansOf(history: ModelHistory, limited: Float64Array | undefined): Spans {
  const [created, started, ended] = [history.created.values, history.started.values, history.ended.values]
  const processing = created.map((creation, index) => {
    const shown = started[index] ?? Number.NaN
    const start = Number.isNaN(shown) ? (limited?.[index] ?? creation) : shown
    return history.endsByItself(index) ? (ended[index] ?? Number.NaN) - start : Number.NaN
  })
  const queueing =
    limited === undefined ? started.map((start, index) => start - (created[index] ?? 0)) : EMPTY
  return { processing: sorted(processing), queueing: sorted(queueing) }
}

const EMPTY = new Float64Array(0)

/** Puts the spans of several models together. */
export function pool(all: readonly Spans[]): Spans {
  return {
    processing: concatenate(all.map(({ processing }) => processing)),
    queueing: concatenate(all.map(({ queueing }) => queueing)),
  }
}

function concatenate(lists: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    whole.set(list, at)
    at += list.length
  }
  return whole.sort()
}

function sorted(spans: Float64Array): Float64Array {
  return spans.filter((span) => !Number.isNaN(span)).sort()
}
