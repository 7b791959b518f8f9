import { type DailyPattern, dailyPatterns } from './daily-patterns.js'
import type { ModelHistory } from './model-history.js'

/** How long tasks of a model take, in milliseconds, sorted. */
export interface Spans {
  /** From start to end, of each task that succeeded or failed. */
  readonly processing: Float64Array
  /** From creation to start, if the history shows starts that no limit explains. */
  readonly queueing: Float64Array
  readonly patterns: readonly DailyPattern[]
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
  const patterns = patternsOf(history, processing)
  return { processing: sorted(processing), queueing: sorted(queueing), patterns }
}

/** More tasks would not make a pattern clearer, only slower to find. */
const COMPARED = 100_000

/** @param processing NaN if the task did not end by itself */
function patternsOf(history: ModelHistory, processing: Float64Array): DailyPattern[] {
  const created = history.created.values
  const step = Math.ceil(created.length / COMPARED)
  const isKnown = (index: number) => index % step === 0 && !Number.isNaN(processing[index] ?? Number.NaN)
  return dailyPatterns({
    created: created.filter((_, index) => isKnown(index)),
    spans: processing.filter((_, index) => isKnown(index)),
    failed: Uint8Array.from({ length: created.length }, (_, index) =>
      history.statusAt(index) === 'failed' ? 1 : 0,
    ).filter((_, index) => isKnown(index)),
  })
}

const EMPTY = new Float64Array(0)

/** Merges the spans of several models. */
export function pool(all: readonly Spans[]): Spans {
  return {
    processing: concatenate(all.map(({ processing }) => processing)),
    queueing: concatenate(all.map(({ queueing }) => queueing)),
    patterns: [],
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
