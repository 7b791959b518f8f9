import type { OperationName } from '../../../engine/requests/operations.js'
import { counted } from '../../counted.js'
import { countedLimit, TOO_MANY } from './counted-limit.js'
import type { AnsweredRequest } from './requests.js'
import { type RateOf, shownLimits } from './shown-limits.js'

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
