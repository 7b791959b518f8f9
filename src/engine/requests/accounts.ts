import { compactKey } from '../fingerprint.js'
import { Recent } from '../recent.js'
import { toMicroDollars } from '../tasks/pricing.js'

/** One API key that a scenario names. Times are milliseconds since the scenario came into force. */
export interface KeySettings {
  readonly key: string
  /** US dollars. */
  readonly credits?: number | undefined
  readonly expires?: number | undefined
  readonly revoked?: number | undefined
}

/** Which API keys are accepted, and what they may spend. */
export interface AuthSettings {
  /** Any Bearer token where undefined. */
  readonly keys: readonly KeySettings[] | undefined
  /** US dollars that each key may spend, where it says nothing else; no limit where undefined. */
  readonly credits: number | undefined
}

/** Whether a key is let in. */
export type Standing = 'good' | 'unknown' | 'expired' | 'revoked'

/** What more keys than this have spent is forgotten, those first that have spent nothing for the longest. */
const MOST_KEYS = 100_000

/** Whole micro-dollars by API key. */
type Spent = Recent<string, number>

/** What is known of API keys: until when they are accepted, and what they have spent. */
export class Accounts {
  readonly #keys: ReadonlyMap<string, KeySettings> | undefined
  readonly #credits: number | undefined
  readonly #spent: Spent

  /** @param spent whole micro-dollars by key, kept from the scenario before */
  constructor({ keys, credits }: AuthSettings, spent: Spent = new Recent(MOST_KEYS)) {
    this.#keys = keys && new Map(keys.map((settings) => [settings.key, settings]))
    this.#credits = credits
    this.#spent = spent
  }

  /** @param since milliseconds since the scenario came into force */
  standing(key: string, since: number): Standing {
    if (this.#keys === undefined) return 'good'
    const settings = this.#keys.get(key)
    if (settings === undefined) return 'unknown'
    if (settings.revoked !== undefined && since >= settings.revoked) return 'revoked'
    return settings.expires !== undefined && since >= settings.expires ? 'expired' : 'good'
  }

  /** What a key has left, in whole micro-dollars; undefined where nothing limits it. */
  balance(key: string): number | undefined {
    const credits = this.#keys?.get(key)?.credits ?? this.#credits
    return credits === undefined
      ? undefined
      : toMicroDollars(credits) - (this.#spent.get(compactKey(key)) ?? 0)
  }

  /** What each key has spent, in whole micro-dollars. */
  get spent(): Spent {
    return this.#spent
  }

  /** Draws down a key's balance. */
  charge(key: string, microDollars: number): void {
    if (microDollars === 0) return
    const name = compactKey(key)
    this.#spent.set(name, (this.#spent.get(name) ?? 0) + microDollars)
  }
}
