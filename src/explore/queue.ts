import type { PlannedRun } from './plan.js'
import type { RunCell } from './report.js'

/** The planned runs, in their order, and which of them have begun. */
export class RunQueue {
  readonly #runs: PlannedRun[]
  readonly #begun = new Set<string>()
  readonly #max: number

  /** @param max how many runs may begin */
  constructor(runs: readonly PlannedRun[], max: number) {
    this.#runs = [...runs]
    this.#max = max
  }

  /** The ids of all runs. */
  get ids(): readonly string[] {
    return this.#runs.map(({ id }) => id)
  }

  /** Where the runs within the limit belong in a matrix. */
  get cells(): readonly RunCell[] {
    return this.#runs.slice(0, this.total).map(({ id, deviations }) => ({
      id,
      place: deviations[0]?.place ?? '',
      deviation: deviations.at(-1)?.word ?? '',
    }))
  }

  /** How many runs begin if nothing else stops them. */
  get total(): number {
    return Math.min(this.#runs.length, this.#max)
  }

  /** How many runs are left, within the limit and beyond it. */
  get left(): { readonly within: number; readonly beyond: number } {
    return { within: this.total - this.#begun.size, beyond: this.#runs.length - this.total }
  }

  /** Begins a run: the first one, or the one with an id. @returns undefined if there is none left */
  next(id?: string): PlannedRun | undefined {
    if (this.#begun.size >= this.#max) return undefined
    const found = this.#runs.find((run) => !this.#begun.has(run.id) && (id === undefined || run.id === id))
    if (found !== undefined) this.#begun.add(found.id)
    return found
  }

  /** Adds runs right after another one. */
  add(runs: readonly PlannedRun[], after: string): void {
    const known = new Set(this.ids)
    const added = runs.filter(({ id }) => !known.has(id))
    this.#runs.splice(this.ids.indexOf(after) + 1, 0, ...added)
  }
}
