import type { PlannedRun } from './plan.js'
import type { ObservedRun } from './run.js'

/** In process, where waiting costs nothing: an hour. */
export const LONGEST_PATIENCE = 3_600_000
/** For runs that measure how long a client waits: 15 minutes. */
export const MEASURING_PATIENCE = 900_000
/** For a client that waits without end: 3 minutes. */
const SHORT_PATIENCE = 180_000
const MARGIN = 1.5

/** The runs that show how long a client waits: with a task that never ends, and without a service. */
export function measuringRuns(all: readonly PlannedRun[]): readonly PlannedRun[] {
  const first = (word: string) => all.find(({ deviations: [each] }) => each?.word === word)
  return [first('stuck'), first('outage')].filter((run) => run !== undefined)
}

/**
 * How long a client may make no progress, by how it ended in the measuring runs, in milliseconds on the clock. If one of
 * them hung, the others need less patience: a client that waits for ever waits in each of them.
 */
export function patienceAfter(runs: readonly ObservedRun[]): number {
  const waits = runs.filter(({ end }) => end.type !== 'hang').map(lengthOf)
  const measured = MARGIN * Math.max(0, ...waits)
  return waits.length < runs.length || waits.length === 0 ? Math.max(SHORT_PATIENCE, measured) : measured
}

/** From the first request to the last one, in milliseconds on the clock. */
function lengthOf({ facts }: ObservedRun): number {
  return Math.max(facts.lasted, ...facts.timeline.map(({ at }) => at))
}
