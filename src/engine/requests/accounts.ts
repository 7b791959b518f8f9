import { compactKey } from '../digest.js'
import { Recent } from '../recent.js'
import { toMicroDollars } from '../tasks/pricing.js'

/** One API key of a scenario. Times are milliseconds since the scenario became active. */
export interface KeySettings {
  readonly key: string
  /** US dollars. */
  readonly credits?: number | undefined
  readonly expires?: number | undefined
  readonly revoked?: number | undefined
}

/** The accepted API keys and their credits. */
export interface AuthSettings {
  /** The accepted keys; any Bearer token if undefined. */
  readonly keys: readonly KeySettings[] | undefined
  /** US dollars that a key may spend unless it has its own limit; no limit if undefined. */
  readonly credits: number | undefined
}

/** Whether the service accepts a key, and if not, why. */
export type KeyStatus = 'accepted' | 'unknown' | 'expired' | 'revoked'

/** Beyond this number, the balances of the least recently charged keys are evicted. */
const MAX_KEYS = 100_000

/** Whole micro-dollars by API key. */
type Spent = Recent<string, number>

/** Tracks which API keys a scenario accepts and how much they have spent. */
export class Accounts {
  readonly #keys: ReadonlyMap<string, KeySettings> | undefined
  readonly #credits: number | undefined
  readonly #spent: Spent

  /** @param spent whole micro-dollars by key, from the previous scenario */
  constructor({ keys, credits }: AuthSettings, spent: Spent = new Recent(MAX_KEYS)) {
    this.#keys = keys && new Map(keys.map((settings) => [settings.key, settings]))
    this.#credits = credits
    this.#spent = spent
  }

  /** @param since milliseconds since the scenario became active */
  statusOf(key: string, since: number): KeyStatus {
    if (this.#keys === undefined) return 'accepted'
    const settings = this.#keys.get(key)
    if (settings === undefined) return 'unknown'
    if (settings.revoked !== undefined && since >= settings.revoked) return 'revoked'
    return settings.expires !== undefined && since >= settings.expires ? 'expired' : 'accepted'
  }

  /** The remaining credits of a key in whole micro-dollars; undefined without a limit. */
  balance(key: string): number | undefined {
    const credits = this.#keys?.get(key)?.credits ?? this.#credits
    return credits === undefined
      ? undefined
      : toMicroDollars(credits) - (this.#spent.get(compactKey(key)) ?? 0)
  }

  /** The amount that each key has spent, in whole micro-dollars. */
  get spent(): Spent {
    return this.#spent
  }

  /** Subtracts a cost from the balance of a key. */
  charge(key: string, microDollars: number): void {
    if (microDollars === 0) return
    const name = compactKey(key)
    this.#spent.set(name, (this.#spent.get(name) ?? 0) + microDollars)
  }
}
