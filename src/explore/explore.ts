import { runBaseline } from './baseline.js'
import { composeReport } from './compose-report.js'
import { checkExpectations } from './expectations.js'
import type { ExploreOptions } from './options.js'
import { LONGEST_PATIENCE, MEASURING_PATIENCE } from './patience.js'
import { planRuns } from './plan.js'
import { RunQueue } from './queue.js'
import type { ExplorationReport } from './report.js'
import type { Driver } from './run.js'
import { Runs } from './runs.js'

const BUDGET = 600_000
/** How much longer a run with a deviation takes than the baseline, for the expected time. */
const SLOWER = 1.5

/**
 * Runs a client without deviations, and once for each deviation at each place, and reports what it made of them.
 * @param driver runs the client
 * @throws BaselineError if it fails without deviations; UsageError if it cannot run, or a filter names nothing
 */
export async function explore(options: ExploreOptions, driver: Driver): Promise<ExplorationReport> {
  const { maxRuns = Infinity, budget = BUDGET, jobs = 1, now, onPlan, signal } = options
  const begin = now()
  const isMeasured = options.measurePatience === true && options.patience === undefined
  const patience = options.patience ?? (isMeasured ? MEASURING_PATIENCE : LONGEST_PATIENCE)
  const baseline = await runBaseline(driver, patience)
  checkExpectations(options.expectations)
  const planned = planRuns(baseline.places, options)
  const queue = new RunQueue(planned, maxRuns)
  const expected = (queue.total * baseline.run.took * SLOWER) / jobs
  onPlan?.({ runs: planned.map(({ id }) => id), expected, remarks: baseline.remarks })
  const exploration = new Runs({ options, driver, baseline, queue })
  const isOver = () => signal?.aborted === true || now() - begin > budget
  if (options.listOnly !== true) {
    const usual = isMeasured && planned.length > 1 ? await exploration.measure() : patience
    const work = async () => {
      while (!isOver() && (await exploration.runNext(usual)));
    }
    await Promise.all(Array.from({ length: Math.max(1, jobs) }, work))
  }
  return composeReport(exploration, options)
}
