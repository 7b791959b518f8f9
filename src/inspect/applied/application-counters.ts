import type { Events } from '../../engine/events.js'

/** The lists of a scenario whose entries apply only under conditions. */
export const RULE_LISTS = ['rules', 'faults', 'webhooks.faults'] as const
/** A list of a scenario whose entries apply only under conditions. */
export type RuleList = (typeof RULE_LISTS)[number]

/** How often the entries of each list have applied, by name. */
export type SavedApplications = readonly (readonly [RuleList, readonly (readonly [string, number])[]])[]

/** Counts how often the rules and faults of the active scenario have applied. */
export class ApplicationCounters {
  readonly #counts = new Map<RuleList, Map<string, number>>()

  constructor(events: Pick<Events, 'on'>) {
    events.on('task.created', ({ plan }) => {
      if (plan.rule !== undefined) this.#count('rules', plan.rule)
    })
    events.on('request.answered', ({ fault }) => {
      if (fault !== undefined) this.#count('faults', fault)
    })
    events.on('delivery.opened', ({ rule, state }) => {
      if (state === 'lost') this.#count('webhooks.faults', rule)
    })
    // A delivery whose first attempt was never sent has tested nothing.
    events.on('delivery.attempted', ({ rule, attempts }) => {
      if (attempts.length === 1) this.#count('webhooks.faults', rule)
    })
  }

  /** How often an entry has applied. */
  of(list: RuleList, name: string): number {
    return this.#counts.get(list)?.get(name) ?? 0
  }

  /** Starts again, for another scenario. */
  clear(): void {
    this.#counts.clear()
  }

  /** The counts, for a later process. */
  get saved(): SavedApplications {
    return [...this.#counts].map(([list, counts]) => [list, [...counts]])
  }

  /** Continues from the counts of another process. */
  restore(saved: SavedApplications): void {
    for (const [list, counts] of saved) this.#counts.set(list, new Map(counts))
  }

  #count(list: RuleList, name: string | undefined): void {
    if (name === undefined) return
    const counts = this.#counts.get(list) ?? new Map<string, number>()
    counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#counts.set(list, counts)
  }
}
