import { UsageError } from '../engine/errors.js'
import { runBaseline } from './baseline.js'
import { composeReport } from './compose-report.js'
import { checkExpectations } from './excused-runs.js'
import type { ExploreOptions } from './options.js'
import { planRuns } from './plan.js'
import { RunQueue } from './queue.js'
import type { ExplorationReport } from './report.js'
import { BASELINE, type Driver } from './run.js'
import { LONGEST_PATIENCE, measuringPatience, Runs } from './runs.js'

/** So few runs take less time with a long patience than after measuring how long the client waits. */
const FEW = 4
/** How much longer a run with a deviation takes than the baseline, for the expected time. */
const SLOWER = 1.5

/**
 * Runs a client without deviations, and once for each deviation at each place, and reports what it made of them.
 * @param driver runs the client
 * @throws BaselineError if it fails without deviations; UsageError if it cannot run, or a filter names nothing
 */
export async function explore(options: ExploreOptions, driver: Driver): Promise<ExplorationReport> {
  const { patience = LONGEST_PATIENCE, maxRuns = Infinity, jobs = 1, now, onPlan, onRun, onReport } = options
  const begin = now()
  checkExpectations(options.expectations)
  const baseline = await runBaseline(driver, patience, options.reachRemedy)
  const planned = planRuns(baseline.places, options)
  if (planned.length === 0 && options.only?.includes(BASELINE) !== true)
    throw new UsageError('The filters leave no run: none of these deviations can happen at these places.')
  const queue = new RunQueue(planned, maxRuns)
  const expected = (queue.total * baseline.run.took * SLOWER) / jobs
  const isOpen = options.measurePatience === true && options.patience === undefined
  const measures = isOpen && planned.length > FEW
  onPlan?.({ runs: planned.map(({ id }) => id), expected, remarks: baseline.remarks, measures })
  const tell = () => onReport?.(reportSoFar(runs, options), queue.cells)
  const runs = new Runs({
    options: {
      ...options,
      onRun(run, progress) {
        onRun?.(run, progress)
        tell()
      },
    },
    driver,
    begin,
    baseline,
    queue,
  })
  if (options.listOnly !== true) {
    tell()
    const unmeasured = isOpen ? measuringPatience(baseline.run) : patience
    const usual = measures ? await runs.measure() : unmeasured
    const workers = Array.from({ length: Math.max(1, jobs) }, () => runs.runAll(usual))
    const ends = await Promise.allSettled(workers)
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  return composeReport(runs, options)
}

/** The report while runs are still to follow: none of them is left out. */
function reportSoFar(runs: Runs, options: ExploreOptions): ExplorationReport {
  const report = composeReport(runs, options)
  return { ...report, left_out: { ...report.left_out, budget: 0, runs: [] } }
}
