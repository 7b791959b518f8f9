/** Counts how often something took how long, as Prometheus does: by upper bounds in seconds. */
export class Histogram {
  readonly #bounds: readonly number[]
  /** How many lie between a bound and the one before it; the last ones lie beyond all. */
  readonly #counts: number[]
  /** How many there are. */
  count = 0
  /** Seconds, all together. */
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(seconds: number): void {
    let place = 0
    for (const bound of this.#bounds) {
      if (seconds <= bound) break
      place += 1
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.count += 1
    this.sum += seconds
  }

  /** Each bound, with how many are at most that. */
  *cumulative(): Generator<readonly [bound: number, count: number]> {
    let total = 0
    for (const [place, bound] of this.#bounds.entries()) {
      total += this.#counts[place] ?? 0
      yield [bound, total]
    }
  }

  clear(): void {
    this.#counts.fill(0)
    this.count = 0
    this.sum = 0
  }
}
