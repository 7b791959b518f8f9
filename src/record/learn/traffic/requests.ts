import type { Dialect, LimitHeaders } from '../../../dialects/dialect.js'
import { findOperation } from '../../../dialects/reading/find-operation.js'
import type { OperationName } from '../../../engine/requests/operations.js'
import { retryAfterOf } from '../../../engine/webhooks/deliveries/retry-policy.js'
import { type Interval, percentile, shareInterval } from '../../../inspect/statistics.js'
import type { SeenExchange } from '../../exchanges/seen-exchange.js'
import { keyOf } from '../../recording/redact/headers.js'
import { MIN_SAMPLES } from '../delay.js'

/** A request about tasks that the service answered. Times are milliseconds. */
export interface AnsweredRequest {
  /** When it was sent, in epoch milliseconds. */
  readonly at: number
  readonly operation: OperationName
  /** A number for each API key. */
  readonly key: number
  readonly status: number
  /** The wait that the answer asks for; 0 if it asks for none. */
  readonly retryAfter: number
  readonly shown: LimitSample | undefined
}

/** The requests about tasks that a service answered. Remembers no key: each key gets a number. */
export class AnsweredRequests {
  readonly #dialect: Dialect
  readonly #keys = new Map<string, number>()
  readonly #all: AnsweredRequest[] = []

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** The requests in the order in which they were sent. */
  get all(): readonly AnsweredRequest[] {
    return this.#all.sort((one, other) => one.at - other.at)
  }

  /** @returns whether it is a request to the service */
  add(exchange: SeenExchange): boolean {
    const { at, answeredAt, method, answer } = exchange
    const url = new URL(exchange.url)
    const operation = findOperation(this.#dialect, { method, url })?.name
    if (answer === undefined || operation?.startsWith('tasks.') !== true) return operation !== undefined
    const { status, headers } = answer
    this.#all.push({
      at,
      operation,
      key: this.#keyOf(exchange),
      status,
      retryAfter: status < 400 ? 0 : retryAfterOf(headers, answeredAt),
      shown: limitSampleOf(headers, this.#dialect.limitHeaders, answeredAt),
    })
    return true
  }

  #keyOf({ key, headers, url }: SeenExchange): number {
    const text = key ?? keyOf(this.#dialect.key, { headers, url }) ?? ''
    const number = this.#keys.get(text) ?? this.#keys.size
    this.#keys.set(text, number)
    return number
  }
}

/** The state of a rate limit that an answer shows. Times are milliseconds. */
export interface LimitSample {
  /** The number of requests per period, or the size of a token bucket. */
  readonly limit: number
  readonly remaining: number | undefined
  /** The time until all requests are available again. */
  readonly reset: number | undefined
  /** The period, if the service shows it. */
  readonly per: number | undefined
}

type Headers = Readonly<Record<string, string>>

const SECOND = 1_000
/** Larger numbers are epoch seconds, and even larger ones epoch milliseconds. */
const [EPOCH_SECONDS, EPOCH_MILLISECONDS] = [1e9, 1e12]
const SPELLINGS = ['x-ratelimit-*-requests', 'x-ratelimit-*', 'ratelimit-*', 'x-rate-limit-*']
const UNITS = { h: 3_600_000, m: 60_000, s: SECOND, ms: 1 } as const

/**
 * Reads the headers with the state of a rate limit: those of the service, or in one of the usual spellings.
 * @param now when the answer was sent, in epoch milliseconds
 * @returns undefined if they do not show the number of requests
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function limitSampleOf(
  headers: Headers,
  own: LimitHeaders | undefined,
  now: number,
): LimitSample | undefined {
  const policy = headers['ratelimit-policy'] ?? headers['ratelimit-limit']
  const state = headers['ratelimit']
  const part = (name: 'limit' | 'remaining' | 'reset') =>
    [own?.[name]?.toLowerCase(), ...SPELLINGS.map((form) => form.replace('*', name))]
      .map((header) => (header === undefined ? undefined : headers[header]))
      .find((value) => value !== undefined)
  const limit =
    wholeIn(part('limit')) ?? parameter(policy, 'q') ?? parameter(state, 'limit') ?? wholeIn(policy)
  if (limit === undefined || limit < 1) return undefined
  const window = parameter(policy, 'w')
  const reset = part('reset')
  const shown = parameter(state, 't') ?? parameter(state, 'reset')
  return {
    limit,
    remaining: wholeIn(part('remaining')) ?? parameter(state, 'r') ?? parameter(state, 'remaining'),
    reset: reset === undefined ? shown && shown * SECOND : spanIn(reset, now),
    per: window && window * SECOND,
  }
}

/** The number at the start of a header: `100, 100;w=60`. */
function wholeIn(text: string | undefined): number | undefined {
  const [digits] = /^\s*\d+/.exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** A parameter of a structured field: `"default";q=100;w=60`, or `limit=100, remaining=50`. */
function parameter(text: string | undefined, name: string): number | undefined {
  const [, digits] = new RegExp(`(?:^|[;,\\s])${name}=(\\d+)`).exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** A time: seconds, a duration such as `1m30.5s`, or an instant in epoch seconds or milliseconds. */
function spanIn(text: string, now: number): number | undefined {
  const value = Number(text)
  if (!Number.isNaN(value)) {
    if (value > EPOCH_MILLISECONDS) return Math.max(0, value - now)
    return value > EPOCH_SECONDS ? Math.max(0, value * SECOND - now) : value * SECOND
  }
  const parts = [...text.matchAll(/([\d.]+)(ms|h|m|s)/g)]
  if (parts.map(([whole]) => whole).join('') !== text.trim()) return undefined
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit as keyof typeof UNITS], 0)
}

/** How often requests of an operation fail with a status from 500 up. */
export interface LearnedFault {
  readonly operation: OperationName
  readonly status: number
  readonly count: number
  /** How many requests of the operation were answered. */
  readonly samples: number
  readonly rate: number
  /** The 95 % interval of the rate. */
  readonly interval: Interval
  /** The wait that most of the answers ask for, in milliseconds; undefined if most ask for none. */
  readonly retryAfter: number | undefined
}

const [FIRST_STATUS, LAST_STATUS] = [500, 599]

/** Finds the shares of requests that fail with a status from 500 up, for each operation with enough requests. */
export function findFaults(requests: readonly AnsweredRequest[]): LearnedFault[] {
  return [...groupBy(requests, ({ operation }) => operation)].flatMap(([operation, group]) => {
    if (group.length < MIN_SAMPLES) return []
    const failed = group.filter(({ status }) => status >= FIRST_STATUS && status <= LAST_STATUS)
    return [...groupBy(failed, ({ status }) => status)].map(([status, answers]) => ({
      operation,
      status,
      count: answers.length,
      samples: group.length,
      rate: answers.length / group.length,
      interval: shareInterval(answers.length, group.length),
      retryAfter: usualWait(answers),
    }))
  })
}

function usualWait(answers: readonly AnsweredRequest[]): number | undefined {
  const sorted = Float64Array.from(answers, ({ retryAfter }) => retryAfter).sort()
  return percentile(sorted, 50) || undefined
}

/** Divides a list by a property of its entries. */
export function groupBy<Entry, Key>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => Key,
): ReadonlyMap<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>()
  for (const entry of entries) {
    const group = groups.get(keyOf(entry)) ?? []
    groups.set(keyOf(entry), group)
    group.push(entry)
  }
  return groups
}
