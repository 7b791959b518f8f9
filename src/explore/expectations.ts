import { globMatcher } from '../engine/scenario/glob.js'
import type { ReportedRun, RunResult } from './report.js'

/** A result that is right although the rules say otherwise. */
export interface Expectation {
  /** A place, or a pattern with `*`. */
  readonly place: string
  /** A word of a deviation, or a pattern with `*`. */
  readonly deviation: string
  readonly expect: RunResult
  readonly because: string
}

/** Calls a run right if the scenario expects its result. */
export function asExpected(run: ReportedRun, expectations: readonly Expectation[] = []): ReportedRun {
  if (run.ok) return run
  const found = expectations.find((each) => each.expect === run.result && isAbout(each, run))
  return found === undefined ? run : { ...run, ok: true, severity: 'ok', because: found.because }
}

/** Whether an expectation is about a run. */
export function isAbout({ place, deviation }: Expectation, run: ReportedRun): boolean {
  return globMatcher(place)(run.place) && globMatcher(deviation)(run.deviation)
}
