import type { PlannedRun } from './plan.js'
import type { RunCell } from './report.js'

/** The planned runs in the order of the report, the order in which they begin, and which of them have begun. */
export class RunQueue {
  readonly #runs: PlannedRun[]
  readonly #order: PlannedRun[]
  readonly #begun = new Set<string>()
  readonly #max: number

  /** @param max how many runs may begin */
  constructor(runs: readonly PlannedRun[], max: number) {
    this.#runs = [...runs]
    this.#order = spread(runs)
    this.#max = max
  }

  /** The ids of all runs. */
  get ids(): readonly string[] {
    return this.#runs.map(({ id }) => id)
  }

  /** Where the runs within the limit belong in a matrix. */
  get cells(): readonly RunCell[] {
    const waiting = this.#order.filter(({ id }) => !this.#begun.has(id))
    const within = new Set(waiting.slice(0, this.total - this.#begun.size))
    return this.#runs.filter((run) => this.#begun.has(run.id) || within.has(run)).map(cellOf)
  }

  /** Where the runs that have not begun belong in a matrix. */
  get waiting(): readonly RunCell[] {
    return this.#runs.filter(({ id }) => !this.#begun.has(id)).map(cellOf)
  }

  /** How many runs begin if nothing else stops them. */
  get total(): number {
    return Math.min(this.#runs.length, this.#max)
  }

  /** How many runs are left, within the limit and beyond it. */
  get left(): { readonly within: number; readonly beyond: number } {
    return { within: this.total - this.#begun.size, beyond: this.#runs.length - this.total }
  }

  /** Begins a run: the next one, or the one with an id. @returns undefined if there is none left */
  next(id?: string): PlannedRun | undefined {
    if (this.#begun.size >= this.#max) return undefined
    const found = this.#order.find((run) => !this.#begun.has(run.id) && (id === undefined || run.id === id))
    if (found !== undefined) this.#begun.add(found.id)
    return found
  }

  /** Adds runs: in the report right after another one. They begin after all others. */
  add(runs: readonly PlannedRun[], after: string): void {
    const known = new Set(this.ids)
    const added = runs.filter(({ id }) => !known.has(id))
    this.#runs.splice(this.ids.indexOf(after) + 1, 0, ...added)
    this.#order.push(...added)
  }
}

/**
 * Orders runs so that the first ones are a sample of all: of each place, each class of deviations has had the same share
 * whenever a limit ends the exploration.
 */
function spread(runs: readonly PlannedRun[]): PlannedRun[] {
  const groups = new Map<string, PlannedRun[]>()
  for (const run of runs) {
    const [first] = run.deviations
    const key = `${first?.place} ${first?.class}`
    groups.set(key, [...(groups.get(key) ?? []), run])
  }
  return [...groups.values()]
    .flatMap((group, shift) =>
      // Another first deviation at each place.
      group.map((_, index) => ({
        run: group[(index + shift) % group.length] as PlannedRun,
        share: index / group.length,
      })),
    )
    .sort((a, b) => a.share - b.share)
    .map(({ run }) => run)
}

function cellOf({ id, deviations }: PlannedRun): RunCell {
  return { id, place: deviations[0]?.place ?? '', deviation: deviations.at(-1)?.word ?? '' }
}
