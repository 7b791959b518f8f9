import type { ExpectedResult } from '../engine/exploration/run-result.js'
import { globMatcher } from '../engine/scenario/glob.js'
import type { ReportedRun } from './report.js'

/** Calls a run right if the scenario expects its result. */
export function asExpected(run: ReportedRun, expectations: readonly ExpectedResult[] = []): ReportedRun {
  if (run.ok) return run
  const found = expectations.find((each) => each.expect === run.result && isAbout(each, run))
  return found === undefined ? run : { ...run, ok: true, severity: 'ok', because: found.because }
}

/** Whether an expectation is about a run. */
export function isAbout({ place, deviation }: ExpectedResult, run: ReportedRun): boolean {
  return globMatcher(place)(run.place) && globMatcher(deviation)(run.deviation)
}
