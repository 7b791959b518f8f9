import type { OperationName } from '../../../engine/requests/operations.js'
import { type Interval, percentile, shareInterval } from '../../../inspect/statistics.js'
import { MIN_SAMPLES } from '../delay.js'
import type { AnsweredRequest } from './requests.js'

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
