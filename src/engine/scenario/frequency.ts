import { compactKey } from '../digest.js'
import type { Random } from '../random.js'
import { Recent } from '../recent.js'
import type { FrequencyConditions } from './conditions.js'

/** A request or delivery that meets the other conditions of a rule. */
export interface FrequencyCandidate {
  /** Milliseconds since the scenario became active. */
  readonly since: number
  readonly key: string
  /** Identifies the task; undefined without one. */
  readonly task: string | undefined
  /** Creates the random stream of the candidate, only for a rate between 0 and 1. */
  readonly random: () => Random
}

/** Limits the memory; far above the number of tasks or keys in a test. */
const MAX_COUNTED = 200_000

/** Decides how often a rule applies. It counts candidates, so each rule has its own instance. */
export class FrequencyCondition {
  /** The number of candidates, by task, by key, or of all under the empty text. */
  readonly counts = new Recent<string, number>(MAX_COUNTED)
  readonly #conditions: FrequencyConditions

  constructor(conditions: FrequencyConditions) {
    this.#conditions = conditions
  }

  /**
   * Counts a candidate.
   * @returns its number, from 1, among the candidates of its task, its key or all; undefined if the rule does not apply
   */
  take(candidate: FrequencyCandidate): number | undefined {
    const { window, nth } = this.#conditions
    if (!isWithin(window, candidate.since)) return undefined
    const scope = this.#scopeOf(candidate)
    const number = (this.counts.get(scope) ?? 0) + 1
    this.counts.set(scope, number)
    return isNth(nth, number) && this.#isDrawn(candidate) ? number : undefined
  }

  #scopeOf({ key, task = '' }: FrequencyCandidate): string {
    const { per } = this.#conditions
    return per === undefined ? '' : per === 'key' ? compactKey(key) : task
  }

  #isDrawn({ since, random }: FrequencyCandidate): boolean {
    const { rate = 1, window } = this.#conditions
    const share = typeof rate === 'number' ? rate : interpolate(rate, window, since)
    return share >= 1 || (share > 0 && random().float() < share)
  }
}

function isWithin(window: FrequencyConditions['window'], since: number): boolean {
  return window === undefined || (since >= (window.from ?? 0) && since < (window.to ?? Infinity))
}

function isNth(nth: FrequencyConditions['nth'], number: number): boolean {
  if (nth === undefined) return true
  if (typeof nth === 'number') return number === nth
  if (nth.every !== undefined) return number % nth.every === 0
  return number >= (nth.min ?? 1) && number <= (nth.max ?? Infinity)
}

function interpolate(
  rate: { from: number; to: number },
  { from = 0, to = from + 1 }: NonNullable<FrequencyConditions['window']> = {},
  since: number,
): number {
  return rate.from + ((rate.to - rate.from) * (since - from)) / (to - from)
}
