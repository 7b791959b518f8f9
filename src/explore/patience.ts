import type { PlannedRun } from './plan.js'
import type { ObservedRun } from './run.js'

/** For the baseline, and wherever waiting costs nothing, as in process: an hour. */
export const LONGEST_PATIENCE = 3_600_000
/** For runs that measure how long a client waits: 15 minutes, if the client needs no more without deviations. */
const MEASURING_PATIENCE = 900_000
/**
 * The shortest one, because a client may wait longer for a single answer than for a service that says it is down: 3
 * minutes.
 */
const SHORTEST_PATIENCE = 180_000
const MARGIN = 1.5

/** The runs that show how long a client waits: with a task that never ends, and without a service. */
export function measuringRuns(all: readonly PlannedRun[]): readonly PlannedRun[] {
  const first = (word: string) => all.find(({ deviations: [each] }) => each?.word === word)
  return [first('stuck'), first('outage')].filter((run) => run !== undefined)
}

/** How long a client may make no progress in a measuring run, in milliseconds on the clock. */
export function measuringPatience(baseline: ObservedRun): number {
  return Math.max(MEASURING_PATIENCE, MARGIN * lengthOf(baseline))
}

/**
 * How long a client may make no progress, by the measuring runs in which it ended by itself, in milliseconds on the
 * clock. One that did not waits for ever in other runs, too, so they need no more patience because of it.
 */
export function patienceAfter(runs: readonly ObservedRun[], baseline: ObservedRun): number {
  const waits = [baseline, ...runs].filter(({ end }) => end.type !== 'hang').map(lengthOf)
  return Math.max(SHORTEST_PATIENCE, ...waits.map((wait) => MARGIN * wait))
}

/** Until the client ended or, if that is not known, until its last request, in milliseconds on the clock. */
function lengthOf({ facts, lasted = 0 }: ObservedRun): number {
  return Math.max(lasted, facts.lasted, ...facts.timeline.map(({ at, until = at }) => until))
}
