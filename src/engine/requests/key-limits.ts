import { compactKey } from '../digest.js'
import { Recent } from '../recent.js'
import { globMatcher } from '../scenario/glob.js'
import { toMicroDollars } from '../tasks/pricing.js'
import { type OperationName, operationMatcher } from './operations.js'

/** How many requests each API key may send. */
export interface RateLimit {
  readonly name?: string | undefined
  readonly operation?: OperationName | readonly OperationName[] | undefined
  /** An API key or a pattern. */
  readonly key?: string | undefined
  readonly requests: number
  /** Milliseconds. */
  readonly per: number
  /** The size of a token bucket. Without it, requests count in fixed windows. */
  readonly burst?: number | undefined
}

/** The state of a limit for one key after a request; times are epoch milliseconds. */
export interface Allowance {
  /** The name of the limit. */
  readonly name: string
  readonly limit: number
  /** Milliseconds. */
  readonly per: number
  readonly remaining: number
  /** When the limit is fully available again. */
  readonly resetAt: number
  /** When to retry a rejected request; undefined if the request was accepted. */
  readonly retryAt: number | undefined
}

/** The units that a key had left at an instant. A request costs one unit per millisecond of the limit's period. */
export interface Level {
  readonly at: number
  readonly left: number
}

interface Meter {
  readonly limit: RateLimit
  readonly name: string
  readonly applies: (operation: OperationName, key: string) => boolean
  readonly levels: Recent<string, Level>
}

// Beyond this number, the least recently used keys are evicted.
const MAX_KEYS = 100_000

/** Counts the requests of each key. A rejected request does not count. */
export class RateLimiter {
  readonly #meters: readonly Meter[]

  constructor(limits: readonly RateLimit[]) {
    this.#meters = limits.map((limit, index) => {
      const isOperation = operationMatcher(limit.operation)
      const isKey = globMatcher(limit.key ?? '*')
      return {
        limit,
        name: limit.name ?? `rate_limits[${index}]`,
        applies: (operation, key) => isOperation(operation) && isKey(key),
        levels: new Recent(MAX_KEYS),
      }
    })
  }

  /** For each limit, what is left of it by key. */
  get levels(): readonly Recent<string, Level>[] {
    return this.#meters.map(({ levels }) => levels)
  }

  /**
   * Counts a request.
   * @param now epoch milliseconds
   * @returns the limit that rejects the request, or else the limit with the smallest share left; undefined if none
   * applies
   */
  take(operation: OperationName, key: string, now: number): Allowance | undefined {
    if (this.#meters.length === 0) return undefined
    const applicable = this.#meters
      .filter(({ applies }) => applies(operation, key))
      .map((meter) => ({ meter, level: levelOf(meter, key, now) }))
    const refusals = applicable
      .filter(({ meter, level }) => level.left < meter.limit.per)
      .map(({ meter, level }) => allowance(meter.limit, meter.name, level, now))
    if (refusals.length > 0) return refusals.sort((a, b) => b.retryAt - a.retryAt)[0]
    return applicable
      .map(({ meter: { levels, limit, name }, level: { at, left } }) => {
        const after = { at, left: left - limit.per }
        levels.set(compactKey(key), after)
        return { ...allowance(limit, name, after, now), retryAt: undefined }
      })
      .sort((a, b) => a.remaining / a.limit - b.remaining / b.limit)[0]
  }
}

function levelOf({ limit: { requests, per, burst }, levels }: Meter, key: string, now: number): Level {
  const known = levels.get(compactKey(key))
  if (burst !== undefined) {
    // Whole numbers avoid rounding errors, which could reject a client that retries exactly on time.
    const gained = known === undefined ? Infinity : known.left + (now - known.at) * requests
    return { at: now, left: Math.min(burst * per, gained) }
  }
  // Windows start at whole multiples of their length.
  const start = now - (now % per)
  return { at: start, left: known?.at === start ? known.left : requests * per }
}

function allowance({ requests, per, burst }: RateLimit, name: string, level: Level, now: number) {
  const limit = burst ?? requests
  const availableAt = (wanted: number) =>
    burst === undefined ? level.at + per : now + Math.ceil((wanted * per - level.left) / requests)
  const remaining = Math.floor(level.left / per)
  return { name, limit, per, remaining, resetAt: availableAt(limit), retryAt: availableAt(1) }
}

/** One API key of a scenario. Times are milliseconds since the scenario became active. */
interface KeySettings {
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

/** Whole micro-dollars by API key. */
type Spent = Recent<string, number>

/** Beyond this number, the balances of the least recently charged keys are evicted. */
const MOST_ACCOUNTS = 100_000

/** Tracks which API keys a scenario accepts and how much they have spent. */
export class Accounts {
  readonly #keys: ReadonlyMap<string, KeySettings> | undefined
  readonly #credits: number | undefined
  readonly #start: number
  readonly #spent: Spent

  /**
   * @param start epoch milliseconds when the scenario became active
   * @param spent whole micro-dollars by key, from the previous scenario
   */
  constructor({ keys, credits }: AuthSettings, start: number, spent: Spent = new Recent(MOST_ACCOUNTS)) {
    this.#keys = keys && new Map(keys.map((settings) => [settings.key, settings]))
    this.#credits = credits
    this.#start = start
    this.#spent = spent
  }

  /** @param at epoch milliseconds */
  statusOf(key: string, at: number): KeyStatus {
    if (this.#keys === undefined) return 'accepted'
    const settings = this.#keys.get(key)
    if (settings === undefined) return 'unknown'
    const since = at - this.#start
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
