import type { Dialect } from '../../dialects/dialect.js'
import { readRetryAfter, retryAfter } from '../../engine/requests/retry-after.js'
import { keptHeaders } from '../recording/redact/headers.js'

/** Headers about one transfer, or about the load of the service at that time. */
const NOT_REPEATED = /^(?:date|etag|last-modified|content-length)$|rate-?limit/
const ID = /-id$/

/** Chooses the headers of an answer that a replay repeats. @param taskId undefined if the answer is about no task */
export type RepeatedHeaders = (
  headers: Readonly<Record<string, string>>,
  taskId?: string,
) => Readonly<Record<string, string>>

/** Ids are only repeated if they are those of tasks: each request has its own. */
export function repeatedHeaders(dialect: Dialect): RepeatedHeaders {
  const isKept = keptHeaders(dialect)
  const { limit, remaining, reset } = dialect.limitHeaders ?? {}
  const limits = [limit, remaining, reset].map((name) => name?.toLowerCase())
  const isRepeated = (name: string) => isKept(name) && !NOT_REPEATED.test(name) && !limits.includes(name)
  return (headers, taskId) => {
    const repeated = Object.entries(headers).filter(
      ([name, value]) =>
        isRepeated(name) && (!ID.test(name) || (taskId !== undefined && value.includes(taskId))),
    )
    return { ...Object.fromEntries(repeated), ...waitIn(headers) }
  }
}

/** The wait that a date in Retry-After means, in seconds: the date has passed when the answer is repeated. */
function waitIn(headers: Readonly<Record<string, string>>): { 'retry-after'?: string } {
  const wait = readRetryAfter(headers, Number.NaN)
  return wait === undefined ? {} : retryAfter(wait)
}
