import { test } from 'vitest'
import { type Duration, toMilliseconds } from '../engine/clock/durations.js'
import { checkOptionNames, type OptionNames, UsageError } from '../engine/errors.js'
import type { ExpectedResult } from '../engine/exploration/run-result.js'
import type { AcceptedProblem } from '../explore/excused-runs.js'
import { explore as exploreWith } from '../explore/explore.js'
import { toText } from '../explore/formats/text.js'
import type { ExploreOptions as ExploreWithOptions } from '../explore/options.js'
import type { ExplorationReport } from '../explore/report.js'
import { createSimulator } from '../library/create-simulator.js'
import { type ExploreContext, InProcessDriver } from './in-process-driver.js'
import { SIM_TEST_OPTIONS, type SimTestOptions } from './world.js'

/** The options of {@link explore}: those of `simTest`, and what to explore. */
export interface ExploreOptions extends Omit<SimTestOptions, 'clock' | 'speed' | 'timers' | 'patience'> {
  /** The only deviations, by their words, such as `lost`. */
  readonly deviations?: readonly string[]
  /** The only places: their names, operations such as `tasks.create`, types such as `webhook`, or patterns with `*`. */
  readonly places?: readonly string[]
  /** The runs to leave out: their ids, or patterns with `*`. */
  readonly skip?: readonly string[]
  /** The only runs, by their ids. */
  readonly only?: readonly string[]
  /** With 2, a second deviation follows at the requests that exist only because of the first; 1 by default. */
  readonly depth?: 1 | 2
  /** The largest number of runs with deviations. */
  readonly maxRuns?: number
  /** How long to begin further runs, in real time; 10 minutes by default. It is also the time limit of the test. */
  readonly budget?: Duration
  /** How long the function may make no progress until it hangs, on the clock; an hour by default. */
  readonly patience?: Duration
  /** The least severe problem that fails the test; `warning` by default. */
  readonly failOn?: 'error' | 'warning' | 'never'
  /** Results that are right, although the rules say otherwise, in addition to those of the scenario. */
  readonly expectations?: readonly ExpectedResult[]
  /** Problems that do not fail the test. */
  readonly accepted?: readonly AcceptedProblem[]
}

const { clock: _, speed: __, timers: ___, ...SETTINGS } = SIM_TEST_OPTIONS
const OPTIONS: OptionNames<ExploreOptions> = {
  ...SETTINGS,
  deviations: true,
  places: true,
  skip: true,
  only: true,
  depth: true,
  maxRuns: true,
  budget: true,
  patience: true,
  failOn: true,
  expectations: true,
  accepted: true,
}

/** How long a run that has begun may go on after the budget, in milliseconds of real time. */
const LAST_RUN = 60_000
const BUDGET = '10m'
const FAIL_ON = ['error', 'warning', 'never']

/**
 * Defines a test that explores a function, which uses a client: it calls the function without failures, and then once for
 * each failure at each of its requests, webhooks, tasks and files. Each call has a new simulator on a manual clock. The
 * function should reject if the client fails. The test fails with the problems, and with the ids of their runs; `only`
 * repeats one.
 * @throws UsageError if an option is unknown or has an unusable value
 * @example
 * explore('a video survives every failure', { baseUrl: 'https://api.example.com/api/v1' }, async () => {
 *   expect(await generateVideo('waves')).toMatch(/^https:/)
 * })
 */
export function explore(
  name: string,
  options: ExploreOptions,
  client: (context: ExploreContext) => unknown,
): void {
  checkOptionNames('explore', options, OPTIONS)
  const { failOn = 'warning', budget = BUDGET } = options
  if (!FAIL_ON.includes(failOn))
    throw new UsageError(`Expected \`failOn\` to be error, warning or never, got ${JSON.stringify(failOn)}`)
  test(name, { timeout: toMilliseconds(budget) + LAST_RUN }, async ({ task }) => {
    const report = await exploreInProcess(name, options, client)
    Object.assign(task.meta, { exploration: report })
    const failure = failureOf(report, failOn)
    if (failure !== undefined) throw failure
  })
}

/** The error of a test, with the problems of a report; undefined if there are none that fail it. */
export function failureOf(
  report: ExplorationReport,
  failOn: NonNullable<ExploreOptions['failOn']> = 'warning',
): Error | undefined {
  const { errors, warnings } = report.summary
  const failing = failOn === 'never' ? 0 : failOn === 'error' ? errors : errors + warnings
  return failing > 0 ? new ExplorationError(`\n${toText(report)}`) : undefined
}

/** Explores a function, and returns the report. @param watch sees each run, and may end the exploration */
export async function exploreInProcess(
  name: string,
  options: ExploreOptions,
  client: (context: ExploreContext) => unknown,
  watch: Pick<ExploreWithOptions, 'onRun' | 'signal'> = {},
): Promise<ExplorationReport> {
  const { deviations, places, skip, only, depth, maxRuns, budget, patience, failOn, ...more } = options
  const { expectations = [], accepted, ...settings } = more
  const { scenario, seed } = settings
  const sim = createSimulator({
    ...(scenario !== undefined && { scenario }),
    ...(seed !== undefined && { seed }),
  })
  sim.close()
  return exploreWith(
    {
      command: [name],
      seed: sim.seed,
      deviations,
      places,
      skip,
      only,
      depth,
      maxRuns,
      budget: toMilliseconds(budget ?? BUDGET),
      patience: patience === undefined ? undefined : toMilliseconds(patience),
      expectations: [...expectations, ...sim.scenario.explore],
      accepted,
      repeat: (id) => `only: ['${id.replaceAll("'", "\\'")}']`,
      now: () => performance.now(),
      ...watch,
    },
    new InProcessDriver(settings, client),
  )
}

/** The problems of an exploration. */
class ExplorationError extends Error {
  override readonly name = 'ExplorationError'
}
