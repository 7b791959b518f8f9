import { roundestBetween } from '../../statistics/round-number.js'
import { groupBy } from './find-faults.js'
import type { LimitSample } from './limit-sample.js'
import { PERIODS, PRECISION } from './periods.js'
import type { AnsweredRequest } from './requests.js'

/** How many requests a client may send, in the words of a scenario. Times are milliseconds. */
export interface RateOf {
  readonly requests: number
  readonly per: number
  /** The size of a token bucket; undefined for a fixed window. */
  readonly burst?: number | undefined
}

/** A limit that the headers of answers show. */
export interface ShownLimit {
  readonly limit: number
  /** Undefined if the headers do not determine the period. */
  readonly rate: RateOf | undefined
  /** The requests whose answers show it. */
  readonly answers: readonly AnsweredRequest[]
}

const MIN_ANSWERS = 10
/** The share of answers that must agree with a period. */
const ENOUGH = 0.9
const MIN_LEVELS = 3
/** How exact the rate of a token bucket must be. */
const MOST_RATIO = 1.3

type Shown = AnsweredRequest & { readonly shown: LimitSample }

/** Reads the rate limits from the headers of answers. */
export function shownLimits(requests: readonly AnsweredRequest[]): ShownLimit[] {
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
