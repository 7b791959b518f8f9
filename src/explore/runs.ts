import { UsageError } from '../engine/errors.js'
import { readPlace } from '../engine/exploration/place.js'
import { toDollars } from '../engine/tasks/pricing.js'
import type { Baseline } from './baseline.js'
import { asAccepted, asExpected } from './excused-runs.js'
import { type JudgedRun, judge } from './judge.js'
import type { ExploreOptions } from './options.js'
import { operationOf, type PlannedRun, plannedClassOf, planRuns, planSecondRuns } from './plan.js'
import type { RunQueue } from './queue.js'
import type { ReportedRun } from './report.js'
import type { Driver, ObservedRun, RunSpec } from './run.js'

const BUDGET = 600_000

/** The runs of an exploration. */
export class Runs {
  readonly baseline: Baseline
  readonly queue: RunQueue
  /** By their ids. */
  readonly reported = new Map<string, ReportedRun>()
  /** The ids of the runs whose deviations were not all applied. */
  readonly missed: string[] = []
  readonly #options: ExploreOptions
  readonly #driver: Driver
  readonly #begin: number
  #isBroken = false

  /** @param begin when the exploration began, on the clock of the options */
  constructor({
    options,
    driver,
    begin,
    baseline,
    queue,
  }: {
    options: ExploreOptions
    driver: Driver
    begin: number
    baseline: Baseline
    queue: RunQueue
  }) {
    this.#options = options
    this.#driver = driver
    this.#begin = begin
    this.baseline = baseline
    this.queue = queue
  }

  /** Whether no further run may begin: the budget is used up, the exploration is interrupted, or a run was impossible. */
  get isOver(): boolean {
    const { now, budget = BUDGET, signal } = this.#options
    return this.#isBroken || signal?.aborted === true || now() - this.#begin > budget
  }

  /** Runs what is left, one run after the other. Several calls at the same time share the work. */
  async runAll(patience: number): Promise<void> {
    while (!this.isOver) {
      const next = this.queue.next()
      if (next === undefined) return
      await this.#runAndReport(next, patience)
    }
  }

  /**
   * Runs what shows how long the client waits, whether it is planned or not.
   * @returns the patience of the other runs
   */
  async measure(): Promise<number> {
    const { places, run: baseline } = this.baseline
    const patience = measuringPatience(baseline)
    const observed: ObservedRun[] = []
    for (const run of measuringRuns(planRuns(places))) {
      if (this.isOver) break
      const isPlanned = this.queue.next(run.id) !== undefined
      observed.push(
        await (isPlanned ? this.#runAndReport(run, patience) : this.#run(this.#specOf(run, patience))),
      )
    }
    return patienceAfter(observed, baseline)
  }

  async #runAndReport(planned: PlannedRun, patience: number): Promise<ObservedRun> {
    const { depth = 1, expectations, accepted, onRun, signal } = this.#options
    const { places, run: baseline } = this.baseline
    const spec = this.#specOf(planned, patience)
    const first = await this.#run(spec)
    // On a busy machine, a client may poll too late to see a state.
    const run = hasReached(spec, first) || this.isOver ? first : await this.#run(spec)
    // The client of an interrupted run was ended.
    if (signal?.aborted === true) return run
    const judged = reportedRun({ spec, run, baseline })
    const reported = asAccepted(asExpected(judged, expectations), accepted)
    this.reported.set(spec.id, reported)
    if (!hasReached(spec, run)) this.missed.push(spec.id)
    if (depth > 1) this.queue.add(planSecondRuns(planned, run.facts.places, places, this.#options), spec.id)
    onRun?.(reported, { done: this.reported.size, total: this.queue.total })
    return run
  }

  async #run(spec: RunSpec): Promise<ObservedRun> {
    try {
      const run = await this.#driver.run(spec)
      if (run.end.type === 'unusable') throw new UsageError(run.end.message)
      return run
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  #specOf({ id, deviations }: PlannedRun, patience: number): RunSpec {
    const { orders, ignoresInput } = this.baseline
    const delays = deviations.reduce((sum, each) => sum + each.delays, 0)
    return { id, deviations, orders, ignoresInput, patience: patience + delays }
  }
}

/** Whether all deviations of a run have been applied. */
function hasReached({ deviations }: RunSpec, { facts }: ObservedRun): boolean {
  return deviations.every(({ armed }) => facts.applied.includes(armed.id))
}

function reportedRun(judged: JudgedRun): ReportedRun {
  const { spec, run } = judged
  const { end, facts } = run
  const [first] = spec.deviations
  const place = first?.place ?? ''
  const at = readPlace(place)
  return {
    id: spec.id,
    place,
    operation: at === undefined ? place : operationOf(at),
    deviation: spec.deviations.at(-1)?.word ?? '',
    class: plannedClassOf(spec),
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
  return 'status' in end && end.status !== undefined ? { status: end.status } : {}
}

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
function measuringRuns(all: readonly PlannedRun[]): readonly PlannedRun[] {
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
function patienceAfter(runs: readonly ObservedRun[], baseline: ObservedRun): number {
  const waits = [baseline, ...runs].filter(({ end }) => end.type !== 'hang').map(lengthOf)
  return Math.max(SHORTEST_PATIENCE, ...waits.map((wait) => MARGIN * wait))
}

/** Until the client ended or, if that is not known, until its last request, in milliseconds on the clock. */
function lengthOf({ facts, lasted = 0 }: ObservedRun): number {
  return Math.max(lasted, facts.lasted, ...facts.timeline.map(({ at, until = at }) => until))
}
