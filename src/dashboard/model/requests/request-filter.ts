import { wordsTest } from '../words-test.js'
import { isRefused, type RequestBrief } from './request-brief.js'

/** The conditions on requests, as in the address and in the query of the journal. An empty one matches all. */
export type RequestFilter = Readonly<Record<'status' | 'operation' | 'dialect' | 'key' | 'text', string>>

/** The classes of statuses to choose from. */
export const STATUS_CLASSES = ['answered', 'refused', '4xx', '5xx', 'lost'] as const

/** Reads the conditions from the query in the address. */
export function requestFilterIn(query: Readonly<Record<string, string>>): RequestFilter {
  const { status = '', operation = '', dialect = '', key = '', text = '' } = query
  return { status, operation, dialect, key, text }
}

/** The conditions that are not empty. */
export function conditionsOf(filter: RequestFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value.trim() !== ''))
}

/** Compiles the conditions into a predicate. */
export function requestTest({
  status,
  operation,
  dialect,
  key,
  text,
}: RequestFilter): (request: RequestBrief) => boolean {
  const hasWords = wordsTest(text)
  return (request) => {
    if (status !== '' && !hasStatus(request, status)) return false
    if (operation !== '' && (request.operation ?? NO_OPERATION) !== operation) return false
    if (dialect !== '' && request.dialect !== dialect) return false
    if (key !== '' && (request.key || NO_KEY) !== key) return false
    return hasWords(() => lineOf(request))
  }
}

/** How the filters name a request without an operation, and without an accepted key. */
const NO_OPERATION = 'none'
const NO_KEY = 'none'

function hasStatus(request: RequestBrief, wanted: string): boolean {
  const { status, delivered } = request
  if (wanted === 'refused') return isRefused(request)
  if (wanted === 'answered') return !isRefused(request)
  if (wanted === 'lost') return !delivered
  return delivered && (/^[1-5]xx$/.test(wanted) ? String(status)[0] === wanted[0] : String(status) === wanted)
}

/** The fields of a request with the names that the filters use. */
export function fieldsOf({
  operation,
  dialect,
  key,
}: RequestBrief): Partial<Record<'operation' | 'dialect' | 'key', string>> {
  return {
    operation: operation ?? NO_OPERATION,
    key: key || NO_KEY,
    ...(dialect !== undefined && { dialect }),
  }
}

/** The number of requests in each class of statuses. */
export function countStatuses(
  requests: readonly RequestBrief[],
): Readonly<Record<(typeof STATUS_CLASSES)[number], number>> {
  const counts = { answered: 0, refused: 0, '4xx': 0, '5xx': 0, lost: 0 }
  for (const request of requests) {
    counts[isRefused(request) ? 'refused' : 'answered'] += 1
    if (!request.delivered) counts.lost += 1
    else if (request.status >= 500) counts['5xx'] += 1
    else if (request.status >= 400) counts['4xx'] += 1
  }
  return counts
}

function lineOf({
  id,
  method,
  path,
  query,
  task_id: task = '',
  key,
  decided_by: decision,
}: RequestBrief): string {
  const { name = '', field = '', reason = '' } = decision ?? {}
  return `${id} ${method} ${path} ${query} ${task} ${key} ${name} ${field} ${reason}`
}
