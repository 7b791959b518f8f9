import type { Random } from '../../engine/random.js'
import { Recent } from '../../engine/recent.js'
import { compactKey } from '../../engine/requests/compact-key.js'
import type { FrequencyConditions } from '../model/conditions.js'

/** One thing to which something may happen. */
export interface Candidacy {
  /** Milliseconds since the scenario came into force. */
  readonly since: number
  readonly key: string
  /** What stands for the task, or undefined where it is about none. */
  readonly task: string | undefined
  /** The candidate's own draw for this purpose; asked for only where there is something to draw. */
  readonly random: () => Random
}

/** Names for rules, so that no two of them draw the same: one without a name is called by its place. */
export function namesOf(rules: readonly { readonly name?: string | undefined }[], list: string): string[] {
  const seen = new Map<string, number>()
  return rules.map(({ name = '' }, index) => {
    if (name === '') return `${list}[${index}]`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

// More tasks or keys than this at a time are nobody's test.
const MOST_COUNTED = 200_000

/** Decides whether it is time for something, and counts. */
export class Trigger {
  readonly #occasion: FrequencyConditions
  readonly #counts = new Recent<string, number>(MOST_COUNTED)

  constructor(occasion: FrequencyConditions) {
    this.#occasion = occasion
  }

  /**
   * Counts a candidate.
   * @returns which one it is, from 1, among those of its task, its key or all; undefined where it is not the one
   */
  pull(candidacy: Candidacy): number | undefined {
    if (!isWithin(this.#occasion.window, candidacy.since)) return undefined
    const scope = this.#scopeOf(candidacy)
    const number = (this.#counts.get(scope) ?? 0) + 1
    this.#counts.set(scope, number)
    if (!isChosen(this.#occasion.nth, number)) return undefined
    return this.#isDrawn(candidacy) ? number : undefined
  }

  #scopeOf({ key, task = '' }: Candidacy): string {
    const { per } = this.#occasion
    return per === undefined ? '' : per === 'key' ? compactKey(key) : task
  }

  #isDrawn({ since, random }: Candidacy): boolean {
    const { rate = 1, window } = this.#occasion
    const share = typeof rate === 'number' ? rate : ramp(rate, window, since)
    return share >= 1 || (share > 0 && random().float() < share)
  }
}

function isWithin(window: FrequencyConditions['window'], since: number): boolean {
  return window === undefined || (since >= (window.from ?? 0) && since < (window.to ?? Infinity))
}

function isChosen(nth: FrequencyConditions['nth'], number: number): boolean {
  if (nth === undefined) return true
  if (typeof nth === 'number') return number === nth
  if (nth.every !== undefined) return number % nth.every === 0
  return number >= (nth.min ?? 1) && number <= (nth.max ?? Infinity)
}

function ramp(
  rate: { from: number; to: number },
  { from = 0, to = from + 1 }: NonNullable<FrequencyConditions['window']> = {},
  since: number,
): number {
  return rate.from + ((rate.to - rate.from) * (since - from)) / (to - from)
}
