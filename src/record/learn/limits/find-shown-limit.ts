import { fifoStarts } from './fifo-starts.js'
import type { FoundLimit } from './find-limit.js'
import { type Flow, lastOf, mostOpen } from './flow.js'

const COMPARED = 20_000
const MIN_WAITING = 20
/** The share of waiting tasks that must start when the limit allows it. */
const ENOUGH = 0.95
/** Milliseconds by which a start may differ: a real queue takes a moment to notice a free place. */
const PRECISION = 250

/**
 * Finds the limit that explains the starts that the service shows.
 * @returns undefined if there is none, or if too few tasks waited
 */
export function findShownLimit(flow: Flow): FoundLimit | undefined {
  const tasks = lastOf(flow, COMPARED)
  const { created, started } = tasks
  const running = mostOpen({ ...tasks, created: started.toSorted() })
  const starts = fifoStarts(tasks, running)
  let [waited, explained] = [0, 0]
  for (const [index, start] of started.entries()) {
    if (!(start - (created[index] ?? 0) > PRECISION)) continue
    waited += 1
    if (Math.abs((starts[index] ?? Number.NaN) - start) <= PRECISION) explained += 1
  }
  if (waited < MIN_WAITING || explained < ENOUGH * waited) return undefined
  return { running, interval: [running, running], waited, samples: created.length, gain: explained }
}
