/** What each of several things cost over time, such as each model. */
export interface CostSeries {
  readonly name: string
  /** In micro-dollars. */
  readonly cost: number
  /** The cost in each step, in micro-dollars. */
  readonly steps: readonly number[]
}

/** Steps of equal length; each series has one cost per step. */
export interface SteppedCosts {
  /** The start of the first step, in epoch milliseconds; undefined if nothing has a cost. */
  readonly from: number | undefined
  /** The length of a step, in milliseconds. */
  readonly step: number
  /** The most expensive first. */
  readonly series: readonly CostSeries[]
}

const SECOND = 1_000
/** The lengths of steps, in seconds: each is a multiple of the previous one, so that steps can be merged. */
const LENGTHS = [1, 2, 10, 30, 60, 120, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400]
const MAX_STEPS = 60
/** Further names share one series. */
const MAX_NAMES = 50
const OTHERS = 'others'

/** Adds costs up by name and time. It keeps a bounded number of steps, which become longer as time passes. */
export class CostsOverTime {
  #step = SECOND
  /** The costs of each step by name. A step has the number of its length that fit between the epoch and its start. */
  #steps = new Map<number, Map<string, number>>()
  readonly #names = new Set<string>()
  #first = Infinity
  #last = -Infinity

  /** @param at epoch milliseconds @param cost in micro-dollars */
  add(name: string, at: number, cost: number): void {
    const known = this.#names.has(name) || this.#names.size < MAX_NAMES ? name : OTHERS
    this.#names.add(known)
    this.#put(Math.floor(at / this.#step), known, cost)
    while (this.#last - this.#first >= MAX_STEPS) this.#lengthen()
  }

  read(): SteppedCosts {
    const series = [...this.#names]
      .map((name) => this.#seriesOf(name))
      .sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : 1))
    const from = this.#steps.size === 0 ? undefined : this.#first * this.#step
    return { from, step: this.#step, series }
  }

  #seriesOf(name: string): CostSeries {
    const length = this.#last - this.#first + 1
    const steps = Array.from({ length }, (_, index) => this.#steps.get(this.#first + index)?.get(name) ?? 0)
    return { name, cost: steps.reduce((sum, each) => sum + each, 0), steps }
  }

  #put(step: number, name: string, cost: number): void {
    const costs = this.#steps.get(step) ?? new Map<string, number>()
    this.#steps.set(step, costs.set(name, (costs.get(name) ?? 0) + cost))
    this.#first = Math.min(this.#first, step)
    this.#last = Math.max(this.#last, step)
  }

  #lengthen(): void {
    const before = this.#steps
    const seconds = this.#step / SECOND
    const factor = (LENGTHS.find((length) => length > seconds) ?? seconds * 2) / seconds
    this.#step *= factor
    this.#steps = new Map()
    this.#first = Infinity
    this.#last = -Infinity
    for (const [step, costs] of before)
      for (const [name, cost] of costs) this.#put(Math.floor(step / factor), name, cost)
  }
}
