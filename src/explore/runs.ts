import { UsageError } from '../engine/errors.js'
import { readPlace } from '../engine/exploration/place.js'
import { asAccepted } from './accepted.js'
import type { Baseline } from './baseline.js'
import { asExpected } from './expectations.js'
import { type JudgedRun, judge } from './judge.js'
import type { ExploreOptions } from './options.js'
import { MEASURING_PATIENCE, measuringRuns, patienceAfter } from './patience.js'
import { classOf, operationOf, type PlannedRun, planRuns, planSecondRuns } from './plan.js'
import type { RunQueue } from './queue.js'
import type { ReportedRun } from './report.js'
import type { Driver, ObservedRun, RunOrder } from './run.js'

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
    const { depth = 1, expectations, accepted, onRun, signal } = this.#options
    const { places, run: baseline } = this.baseline
    const order = this.#orderOf(planned, patience)
    const run = await this.#run(order)
    // The client of an interrupted run was ended.
    if (signal?.aborted === true) return run
    const judged = reportedRun({ order, run, baseline })
    const reported = asAccepted(asExpected(judged, expectations), accepted)
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

function reportedRun(judged: JudgedRun): ReportedRun {
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

/** @param cost in whole micro-dollars */
export function toDollars(cost: number): number {
  return cost / 1_000_000
}
