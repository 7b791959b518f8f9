import * as v from 'valibot'
import { stringify } from 'yaml'
import { UsageError } from '../engine/errors.js'
import type { ExpectedResult } from '../engine/exploration/run-result.js'
import { globMatcher } from '../engine/scenario/glob.js'
import { suggest } from '../engine/suggest.js'
import { checkValue, locateFlaws } from '../scenario/check/check.js'
import { ScenarioError } from '../scenario/check/mistake.js'
import { closed } from '../scenario/schema/forms.js'
import { described, oneOf, optional, text } from '../scenario/schema/parts.js'
import { readYaml } from '../scenario/yaml/read-yaml.js'
import { DEVIATION_WORDS } from './deviations.js'
import { type ExplorationReport, type ReportedRun, RUN_RESULTS, type RunResult } from './report.js'

/** A problem that does not fail a build. */
export interface AcceptedProblem {
  /** The id of the run. */
  readonly run: string
  readonly result: RunResult
  /** Why it is accepted. */
  readonly because?: string | undefined
}

const acceptedSchema = v.array(
  closed('AcceptedProblem', {
    run: described(text, 'The id of the run'),
    result: described(oneOf(RUN_RESULTS), 'The result of the run'),
    because: optional(text, 'Why it is accepted'),
  }),
  'expected a list of `{ run, result, because? }`',
)

/**
 * Reads accepted problems from YAML or JSON; an empty text has none.
 * @param source the name of the file in errors
 * @throws ScenarioError with every mistake, its line and column
 */
export function readAccepted(yaml: string, source = 'explore.yaml'): readonly AcceptedProblem[] {
  const { value, mistakes, positionOf, positionAt } = readYaml(yaml, 'list of accepted problems')
  if (mistakes.length > 0)
    throw new ScenarioError(
      mistakes.map(({ offset, message }) => ({ source, ...positionAt(offset), path: '', message })),
    )
  const result = checkValue(acceptedSchema, value ?? [])
  if ('value' in result) return result.value
  throw locateFlaws(result.flaws, source, positionOf)
}

/** Excuses a run whose result is accepted: it stays a problem, but does not fail a build. */
export function asAccepted(run: ReportedRun, accepted: readonly AcceptedProblem[] = []): ReportedRun {
  const found = accepted.find((each) => each.run === run.id && each.result === run.result)
  return run.ok || found === undefined ? run : { ...run, because: found.because ?? UNEXPLAINED }
}

const UNEXPLAINED = 'the list of accepted problems has it'

/**
 * Writes the problems of a report as accepted, in YAML. Entries about runs that the report does not have stay, and so do
 * the reasons of those that it has.
 * @param before the entries so far
 */
export function writeAccepted(
  { runs, accepted }: Pick<ExplorationReport, 'runs' | 'accepted'>,
  before: readonly AcceptedProblem[] = [],
): string {
  const gone = new Set(accepted.filter((each) => each.gone).map(({ run }) => run))
  const done = new Set(runs.map(({ id }) => id))
  const kept = before.filter(({ run }) => !done.has(run) && !gone.has(run))
  const now = runs
    .filter(({ ok }) => !ok)
    .map(({ id, result }): AcceptedProblem => {
      const because = before.find(({ run }) => run === id)?.because
      return { run: id, result, ...(because !== undefined && { because }) }
    })
  return `${HEADER}${stringify([...kept, ...now])}`
}

const HEADER = '# Problems that `tasksim explore` accepts: it fails only for others.\n'

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
