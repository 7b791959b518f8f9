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

const MICRO = 1_000_000

/** What is known of API keys: until when they are accepted, and what they have spent. */
export class Accounts {
  readonly #keys: ReadonlyMap<string, KeySettings> | undefined
  readonly #credits: number | undefined
  readonly #spent: Map<string, number>

  /** @param spent whole micro-dollars by key, kept from the scenario before */
  constructor({ keys, credits }: AuthSettings, spent = new Map<string, number>()) {
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
    return credits === undefined ? undefined : Math.round(credits * MICRO) - (this.#spent.get(key) ?? 0)
  }

  /** What each key has spent, in whole micro-dollars. */
  get spent(): Map<string, number> {
    return this.#spent
  }

  /** Draws down a key's balance. */
  charge(key: string, microDollars: number): void {
    if (microDollars > 0) this.#spent.set(key, (this.#spent.get(key) ?? 0) + microDollars)
  }
}
