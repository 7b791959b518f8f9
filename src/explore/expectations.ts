import { UsageError } from '../engine/errors.js'
import type { ExpectedResult } from '../engine/exploration/run-result.js'
import { globMatcher } from '../engine/scenario/glob.js'
import { suggest } from '../engine/suggest.js'
import { DEVIATION_WORDS } from './deviations.js'
import type { ReportedRun } from './report.js'

/**
 * Checks the deviations of expectations.
 * @throws UsageError for a word that no deviation has
 */
export function checkExpectations(expectations: readonly ExpectedResult[] = []): void {
  for (const { place, deviation } of expectations) {
    const [word = ''] = deviation.split('.')
    if (DEVIATION_WORDS.some(globMatcher(word))) continue
    throw new UsageError(
      `The scenario expects a result of ${place} with the deviation ${JSON.stringify(deviation)}, which does not exist: ${suggest(word, DEVIATION_WORDS)}`,
    )
  }
}

/** Calls a run right if the scenario expects its result. */
export function asExpected(run: ReportedRun, expectations: readonly ExpectedResult[] = []): ReportedRun {
  if (run.ok) return run
  const found = expectations.find((each) => each.expect === run.result && isAbout(each, run))
  return found === undefined ? run : { ...run, ok: true, severity: 'ok', because: found.because }
}

/** Whether an expectation is about a run. */
export function isAbout({ place, deviation }: ExpectedResult, run: ReportedRun): boolean {
  const [family = ''] = run.deviation.split('.')
  const isMeant = globMatcher(deviation)
  return globMatcher(place)(run.place) && (isMeant(run.deviation) || isMeant(family))
}
