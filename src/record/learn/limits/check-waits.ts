import { type Pair, rankTest } from '../../statistics/rank-test.js'
import type { Flow } from './flow.js'

/** What the starts under a limit show. */
interface Waits {
  /** How many tasks waited. */
  readonly waited: number
  /** Whether tasks were processed as fast after a wait as without one, and after a long wait as after a short one. */
  readonly isPlausible: boolean
}

/** Standard errors by which processing times may differ: by chance, in one of 1,000 histories with a limit. */
const ACCEPTED = 3.3

/**
 * Checks whether processing times are independent of waiting, model by model.
 * @param precision milliseconds that do not count as waiting
 */
export function checkWaits(flow: Flow, starts: Float64Array, precision: number): Waits {
  const waits = starts.map((start, index) => start - (flow.created[index] ?? 0))
  const medians = mediansOf(flow, waits, precision)
  const byWait = flow.models.map(newPair)
  const byLength = flow.models.map(newPair)
  let waited = 0
  for (const [index, wait] of waits.entries()) {
    if (flow.isComplete[index] !== 1) continue
    const model = flow.model[index] ?? 0
    const span = (flow.ended[index] ?? 0) - (starts[index] ?? 0)
    byWait[model]?.[wait > precision ? 'one' : 'other'].push(span)
    if (wait <= precision) continue
    waited += 1
    byLength[model]?.[wait > (medians[model] ?? 0) ? 'one' : 'other'].push(span)
  }
  return { waited, isPlausible: [byWait, byLength].every((pairs) => Math.abs(rankTest(pairs)) <= ACCEPTED) }
}

function newPair(): Pair & { readonly one: number[]; readonly other: number[] } {
  return { one: [], other: [] }
}

/** The median wait of the tasks of each model that waited. */
function mediansOf({ model, models }: Flow, waits: Float64Array, precision: number): number[] {
  const lists = models.map((): number[] => [])
  for (const [index, wait] of waits.entries()) if (wait > precision) lists[model[index] ?? 0]?.push(wait)
  return lists.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0)
}
