import { UsageError } from '../engine/errors.js'
import { readPlace } from '../engine/exploration/place.js'
import type { ExpectedResult } from '../engine/exploration/run-result.js'
import type { AcceptedProblem } from './accepted.js'
import { type Baseline, runBaseline } from './baseline.js'
import { asExpected, isAbout } from './expectations.js'
import { judge } from './judge.js'
import { LONGEST_PATIENCE, MEASURING_PATIENCE, measuringRuns, patienceAfter } from './patience.js'
import { classOf, operationOf, type PlanFilters, type PlannedRun, planRuns, planSecondRuns } from './plan.js'
import { problemsOf } from './problems.js'
import { RunQueue } from './queue.js'
import type { ExplorationReport, ReportedRun } from './report.js'
import type { Driver, ObservedRun, RunOrder } from './run.js'

/** The runs that an exploration is about to begin. */
export interface ExplorationPlan {
  /** Their ids. With a depth of 2, more follow. */
  readonly runs: readonly string[]
  /** How long they will take if each takes a little longer than the baseline, in milliseconds of real time. */
  readonly expected: number
  /** Sentences about the baseline. */
  readonly remarks: readonly string[]
}

/** What to explore, and how. */
export interface ExploreOptions extends PlanFilters {
  /** The command, or the name of the test. */
  readonly command: readonly string[]
  readonly seed: string
  readonly dialect: string
  /** The largest number of deviations in a run; 1 by default. */
  readonly depth?: number | undefined
  /** The largest number of runs with deviations. */
  readonly maxRuns?: number | undefined
  /** How long to begin further runs, in milliseconds of real time; 10 minutes by default. */
  readonly budget?: number | undefined
  /** The number of runs at the same time; 1 by default. */
  readonly jobs?: number | undefined
  /** How long the client may make no progress until it hangs, in milliseconds on the clock; an hour by default. */
  readonly patience?: number | undefined
  /** Whether to measure how long the client waits, unless `patience` says so. */
  readonly measurePatience?: boolean | undefined
  /** The results that are right, as the scenario says. */
  readonly expectations?: readonly ExpectedResult[] | undefined
  readonly accepted?: readonly AcceptedProblem[] | undefined
  /** Writes the command that repeats a run alone. */
  readonly repeat?: ((id: string) => string) | undefined
  /** Called before the first run with a deviation. */
  readonly onPlan?: ((plan: ExplorationPlan) => void) | undefined
  /** Called after each run. */
  readonly onRun?: ((run: ReportedRun, progress: RunProgress) => void) | undefined
  /** Whether to run only the baseline. */
  readonly listOnly?: boolean | undefined
  /** Begins no further run once it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** The real time, in milliseconds. */
  readonly now: () => number
}

/** How many runs have ended, and how many are known. */
export interface RunProgress {
  readonly done: number
  readonly total: number
}

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
  return reportOf(exploration, options)
}

/** The runs of an exploration. */
class Runs {
  readonly baseline: Baseline
  readonly queue: RunQueue
  /** By their ids. */
  readonly reported = new Map<string, ReportedRun>()
  /** The ids of the runs whose deviations were not all applied. */
  readonly missed: string[] = []
  readonly #options: ExploreOptions
  readonly #driver: Driver

  constructor({
    options,
    driver,
    baseline,
    queue,
  }: {
    options: ExploreOptions
    driver: Driver
    baseline: Baseline
    queue: RunQueue
  }) {
    this.#options = options
    this.#driver = driver
    this.baseline = baseline
    this.queue = queue
  }

  /** Runs the first run that is left. @returns whether there was one */
  async runNext(patience: number): Promise<boolean> {
    const next = this.queue.next()
    if (next !== undefined) await this.#runAndReport(next, patience)
    return next !== undefined
  }

  /** Runs what shows how long the client waits, whether it is planned or not. @returns the patience of other runs */
  async measure(): Promise<number> {
    const observed: ObservedRun[] = []
    for (const run of measuringRuns(planRuns(this.baseline.places))) {
      const isPlanned = this.queue.next(run.id) !== undefined
      observed.push(
        isPlanned
          ? await this.#runAndReport(run, MEASURING_PATIENCE)
          : await this.#run(this.#orderOf(run, MEASURING_PATIENCE)),
      )
    }
    return patienceAfter(observed)
  }

  async #runAndReport(planned: PlannedRun, patience: number): Promise<ObservedRun> {
    const { depth = 1, expectations, onRun } = this.#options
    const { places, run: baseline } = this.baseline
    const order = this.#orderOf(planned, patience)
    const run = await this.#run(order)
    const reported = asExpected(reportedRun({ order, run, baseline }), expectations)
    this.reported.set(order.id, reported)
    const { applied } = run.facts
    if (!order.deviations.every(({ armed }) => applied.includes(armed.id))) this.missed.push(order.id)
    if (depth > 1) this.queue.add(planSecondRuns(planned, run.facts.places, places, this.#options), order.id)
    onRun?.(reported, { done: this.reported.size, total: this.queue.total })
    return run
  }

  async #run(order: RunOrder): Promise<ObservedRun> {
    const run = await this.#driver.run(order)
    if (run.end.type === 'unusable') throw new UsageError(run.end.message)
    return run
  }

  #orderOf({ id, deviations }: PlannedRun, patience: number): RunOrder {
    const { orders, ignoresInput } = this.baseline
    const delays = deviations.reduce((sum, each) => sum + each.delays, 0)
    return { id, deviations, orders, ignoresInput, patience: patience + delays }
  }
}

function reportedRun(judged: Parameters<typeof judge>[0]): ReportedRun {
  const { order, run } = judged
  const { end, facts } = run
  const [first] = order.deviations
  const place = first?.place ?? ''
  const at = readPlace(place)
  return {
    id: order.id,
    place,
    operation: at === undefined ? place : operationOf(at),
    deviation: order.deviations.at(-1)?.word ?? '',
    class: classOf(order),
    ...judge(judged),
    ...statusOfEnd(end),
    tasks: facts.tasks.length,
    cost_usd: toDollars(facts.cost),
    ms: Math.round(run.took),
    timeline: facts.timeline,
  }
}

function statusOfEnd(end: ObservedRun['end']): { status?: number } {
  if (end.type === 'success') return { status: 0 }
  return end.type === 'failure' && end.status !== undefined ? { status: end.status } : {}
}

function toDollars(cost: number): number {
  return cost / 1_000_000
}

function reportOf(
  { baseline, queue, reported, missed }: Runs,
  { command, seed, dialect, repeat = repeatOf(command), ...options }: ExploreOptions,
): ExplorationReport {
  const { facts } = baseline.run
  const runs = queue.ids.flatMap((id) => reported.get(id) ?? [])
  const accepted = acceptedIn(baseline, reported, options.accepted ?? [])
  const isNew = ({ ok, id, result }: ReportedRun) =>
    !ok && !accepted.some((each) => each.run === id && each.result === result)
  const wrong = runs.filter(isNew)
  const { within, beyond } = queue.left
  const isAborted = options.signal?.aborted === true
  return {
    version: 1,
    command,
    seed,
    dialect,
    baseline: {
      status: 0,
      requests: facts.requests,
      tasks: facts.tasks.length,
      cost_usd: toDollars(facts.cost),
      places: baseline.places.length,
    },
    remarks: [
      ...baseline.remarks,
      ...(isAborted && within > 0 ? [`The exploration was interrupted: ${within} runs were left out.`] : []),
      ...(missed.length > 0
        ? [
            `The client did not reach the place of these runs, so nothing went wrong there: ${missed.join(', ')}.`,
          ]
        : []),
      ...(options.expectations ?? [])
        .filter((each) => runs.length > 0 && within + beyond === 0 && !runs.some((run) => isAbout(each, run)))
        .map(
          ({ place, deviation }) =>
            `The scenario expects a result of ${place}:${deviation}, but no run has this id.`,
        ),
    ],
    runs,
    problems: problemsOf(wrong, repeat),
    left_out: { max_runs: beyond, budget: isAborted || options.listOnly === true ? 0 : within },
    accepted,
    summary: {
      runs: runs.length,
      ok: runs.filter(({ ok }) => ok).length,
      errors: wrong.filter(({ severity }) => severity === 'error').length,
      warnings: wrong.filter(({ severity }) => severity === 'warning').length,
    },
  }
}

/** The accepted problems that this exploration has looked for: those of its runs, and those of runs that no longer exist. */
function acceptedIn(
  { places }: Baseline,
  reported: ReadonlyMap<string, ReportedRun>,
  accepted: readonly AcceptedProblem[],
): ExplorationReport['accepted'] {
  const possible = new Set(planRuns(places).map(({ id }) => id))
  return accepted.flatMap(({ run, result }) => {
    const found = reported.get(run)
    const isImpossible = !run.includes('+') && !possible.has(run)
    if (found === undefined && !isImpossible) return []
    return [{ run, result, gone: found === undefined || found.ok || found.result !== result }]
  })
}

function repeatOf(command: readonly string[]): (id: string) => string {
  return (id) => `tasksim explore --only "${id}" -- ${command.join(' ')}`
}
