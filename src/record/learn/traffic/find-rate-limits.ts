import type { OperationName } from '../../../engine/requests/operations.js'
import { counted, roundestBetween } from '../../numbers.js'
import { type AnsweredRequest, groupBy, type LimitSample } from './requests.js'

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** The periods of rate limits that services use, in milliseconds, the shortest first. */
const PERIODS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
]

/** How far the times of headers may be off: services round them to seconds. */
const PRECISION = 1_100

/** How many requests each API key may send. */
export interface LearnedRateLimit extends RateOf {
  /** The operations to which it applies; undefined for all operations on tasks. */
  readonly operations: readonly OperationName[] | undefined
  /** Whether the headers of answers show it; if not, it explains the rejections. */
  readonly isShown: boolean
  /** How many requests show it, or were counted, and how many of them were rejected with 429. */
  readonly samples: number
  readonly rejected: number
}

/** The limits, and what was not learned and why, one sentence each. */
interface FoundLimits {
  readonly limits: readonly LearnedRateLimit[]
  readonly gaps: readonly string[]
}

/** Finds rate limits: in the headers of answers, otherwise from the requests that were rejected with 429. */
export function findRateLimits(requests: readonly AnsweredRequest[]): FoundLimits {
  const shown = shownLimits(requests)
  const rejected = rejectedIn(requests)
  const gaps = shown.flatMap(({ limit, rate }) =>
    rate === undefined ? [`rate limit: the headers show ${limit} requests, but not in which period`] : [],
  )
  const limits = shown.flatMap(({ rate, answers }) =>
    rate === undefined ? [] : [limitOf(requests, answers, { ...rate, isShown: true })],
  )
  if (shown.length > 0) return { limits, gaps }
  if (rejected === 0)
    return {
      limits,
      gaps: [`rate limit: none of ${counted(requests.length, 'request')} was rejected with 429`],
    }
  const found = limitByCounts(requests)
  if (found !== undefined) return { limits: [found], gaps }
  return {
    limits,
    gaps: [
      `rate limit: ${counted(rejected, 'request')} ${rejected === 1 ? 'was' : 'were'} rejected with 429, but no limit explains it`,
    ],
  }
}

/** A limit of all operations, or else of those whose requests were rejected. */
function limitByCounts(requests: readonly AnsweredRequest[]): LearnedRateLimit | undefined {
  const operations = operationsIn(requests.filter(({ status }) => status === TOO_MANY))
  const some = requests.filter(({ operation }) => operations.has(operation))
  for (const group of [requests, some]) {
    const rate = countedLimit(group)
    if (rate !== undefined) return limitOf(requests, group, { ...rate, isShown: false })
  }
  return undefined
}

function limitOf(
  all: readonly AnsweredRequest[],
  group: readonly AnsweredRequest[],
  found: RateOf & { readonly isShown: boolean },
): LearnedRateLimit {
  const operations = operationsIn(group)
  const isGeneral = operations.size === operationsIn(all).size
  return {
    ...found,
    operations: isGeneral ? undefined : [...operations].sort(),
    samples: group.length,
    rejected: rejectedIn(group),
  }
}

function operationsIn(requests: readonly AnsweredRequest[]): ReadonlySet<OperationName> {
  return new Set(requests.map(({ operation }) => operation))
}

function rejectedIn(requests: readonly AnsweredRequest[]): number {
  return requests.filter(({ status }) => status === TOO_MANY).length
}

/** How many requests a client may send, in the words of a scenario. Times are milliseconds. */
interface RateOf {
  readonly requests: number
  readonly per: number
  /** The size of a token bucket; undefined for a fixed window. */
  readonly burst?: number | undefined
}

/** A limit that the headers of answers show. */
interface ShownLimit {
  readonly limit: number
  /** Undefined if the headers do not determine the period. */
  readonly rate: RateOf | undefined
  /** The requests whose answers show it. */
  readonly answers: readonly AnsweredRequest[]
}

const MIN_ANSWERS = 10
/** The share of windows and answers that must agree with a limit. */
const ENOUGH = 0.9
const MIN_LEVELS = 3
/** How exact the rate of a token bucket must be. */
const MOST_RATIO = 1.3

type Shown = AnsweredRequest & { readonly shown: LimitSample }

/** Reads the rate limits from the headers of answers. */
function shownLimits(requests: readonly AnsweredRequest[]): ShownLimit[] {
  const shown = requests.filter((request): request is Shown => request.shown !== undefined)
  const groups = groupBy(shown, ({ shown: { limit, per } }) => `${limit}/${per}`)
  return [...groups.values()].flatMap((answers) => {
    const [first] = answers
    if (first === undefined || answers.length < MIN_ANSWERS) return []
    const { limit } = first.shown
    const time = tokenTimeOf(answers, limit)
    const rate = time === undefined ? windowOf(answers, first.shown) : bucketOf(time, limit)
    return [{ limit, rate, answers }]
  })
}

/** The period of a fixed window: all its answers show a reset at its end. */
function windowOf(answers: readonly Shown[], { limit, per }: LimitSample): RateOf | undefined {
  if (per !== undefined) return { requests: limit, per }
  const known = answers.flatMap(({ at, shown: { reset } }) => (reset === undefined ? [] : [{ at, reset }]))
  if (known.length < MIN_ANSWERS) return undefined
  const longest = known.reduce((most, { reset }) => Math.max(most, reset), 0)
  const period = PERIODS.find((each) => each >= longest - PRECISION)
  if (period === undefined) return undefined
  const aligned = known.filter(({ at, reset }) => isMultiple(at + reset, period)).length
  const isCertain = aligned >= ENOUGH * known.length || longest >= ENOUGH * period
  return isCertain ? { requests: limit, per: period } : undefined
}

function isMultiple(time: number, period: number): boolean {
  const rest = time % period
  return Math.min(rest, period - rest) <= PRECISION
}

/** Bounds for the time per token of a bucket, in milliseconds. */
interface TokenTime {
  readonly low: number
  readonly high: number
}

/**
 * The time per token of a token bucket: the time until it is full is proportional to the number of used tokens. Both are
 * rounded, so each answer gives bounds.
 * @returns undefined if no bucket shows these answers
 */
function tokenTimeOf(answers: readonly Shown[], limit: number): TokenTime | undefined {
  const levels = new Set<number>()
  let [low, high] = [0, Infinity]
  for (const { shown } of answers) {
    const used = limit - (shown.remaining ?? limit)
    if (used < 1 || shown.reset === undefined) continue
    levels.add(used)
    low = Math.max(low, (shown.reset - PRECISION) / used)
    high = Math.min(high, shown.reset / Math.max(used - 1, Number.EPSILON))
  }
  return levels.size < MIN_LEVELS || low <= 0 || low > high ? undefined : { low, high }
}

/** The rate of a token bucket; undefined if the answers do not show it exactly enough. */
function bucketOf({ low, high }: TokenTime, limit: number): RateOf | undefined {
  if (high / low > MOST_RATIO) return undefined
  const usual = PERIODS.find((period) => period >= low * limit && period <= high * limit)
  const per = usual ?? Math.round(roundestBetween(low * limit, high * limit))
  return { requests: limit, per, burst: limit }
}

/** The status of a rejection by a rate limit. */
const TOO_MANY = 429
const MIN_WINDOWS = 3

interface Window {
  accepted: number
  rejected: number
  /** How many requests were accepted after a rejection. */
  late: number
}

/**
 * Finds the fixed window that explains rejections: each window with a rejection accepted as many requests as the fullest
 * one, none was accepted after a rejection, and `Retry-After` leads to its end. Windows start at whole multiples of
 * their length.
 * @param requests in the order in which they were sent
 * @returns undefined if there is none, or if it is seen in fewer than three windows
 */
function countedLimit(requests: readonly AnsweredRequest[]): RateOf | undefined {
  for (const per of PERIODS) {
    const windows = windowsOf(requests, per)
    const full = windows.filter(({ rejected }) => rejected > 0)
    const most = windows.reduce((sum, { accepted }) => Math.max(sum, accepted), 0)
    if (most === 0 || full.length < MIN_WINDOWS) continue
    const agreeing = full.filter(({ accepted, late }) => accepted === most && late === 0)
    if (agreeing.length >= ENOUGH * full.length && endsAsAsked(requests, per)) return { requests: most, per }
  }
  return undefined
}

function windowsOf(requests: readonly AnsweredRequest[], per: number): Window[] {
  const windows = new Map<string, Window>()
  for (const { at, key, status } of requests) {
    const name = `${key} ${Math.floor(at / per)}`
    const window = windows.get(name) ?? { accepted: 0, rejected: 0, late: 0 }
    windows.set(name, window)
    if (status === TOO_MANY) window.rejected += 1
    else {
      window.accepted += 1
      if (window.rejected > 0) window.late += 1
    }
  }
  return [...windows.values()]
}

function endsAsAsked(requests: readonly AnsweredRequest[], per: number): boolean {
  const asked = requests.filter(({ status, retryAfter }) => status === TOO_MANY && retryAfter > 0)
  const right = asked.filter(({ at, retryAfter }) => Math.abs(per - (at % per) - retryAfter) <= PRECISION)
  return right.length >= ENOUGH * asked.length
}
