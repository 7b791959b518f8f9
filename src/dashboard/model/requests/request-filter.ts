import type { RequestEntryShape } from '../../../control/shapes.js'
import { wordsTest } from '../field-values.js'

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
export function requestTest(filter: RequestFilter): (request: RequestBrief) => boolean {
  const { status, operation, dialect, key, text } = filter
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
export function fieldsOf({ operation = NO_OPERATION, dialect, key }: RequestBrief): Partial<Fields> {
  return { operation, key: key || NO_KEY, ...(dialect !== undefined && { dialect }) }
}

type Fields = Record<'operation' | 'dialect' | 'key', string>

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

function lineOf(request: RequestBrief): string {
  const { id, method, path, query, task_id: task = '', key, decided_by: decision } = request
  const { name = '', field = '', reason = '' } = decision ?? {}
  return `${id} ${method} ${path} ${query} ${task} ${key} ${name} ${field} ${reason}`
}

/** The parts of an answered request that the list shows. */
export type RequestBrief = Omit<
  RequestEntryShape,
  'request_headers' | 'response_headers' | 'request_body' | 'response_body'
>

/** Leaves out headers and bodies, which would fill the memory of the page. */
export function briefOf({
  request_headers: _,
  response_headers: __,
  request_body: ___,
  response_body: ____,
  ...brief
}: RequestEntryShape): RequestBrief {
  return brief
}

/** Whether the client did not get what it wanted: an error, or no whole response. */
export function isRefused({ status, delivered }: Pick<RequestBrief, 'status' | 'delivered'>): boolean {
  return !delivered || status >= 400
}

/** The status as the list shows it: of a lost response, the client has not seen the status. */
export function statusLabel({ status, delivered }: Pick<RequestBrief, 'status' | 'delivered'>): string {
  return delivered ? String(status) : 'lost'
}

/** The class of the label of a status in the stylesheet. */
export function statusClass({ status, delivered }: Pick<RequestBrief, 'status' | 'delivered'>): string {
  return `status status-${delivered ? Math.floor(status / 100) : 0}`
}

const LIMITS = ['fault', 'rate_limit', 'capacity']

/** A request that took at least this many real milliseconds has waited for a task or for the clock. */
const LONG = 500

/**
 * For how many simulated milliseconds the service held a request on purpose: because of a fault or a limit, or because
 * the client waited for the end of a task. The few milliseconds of every other request mean nothing.
 */
export function heldTime(request: RequestBrief): number {
  const { held_ms: held, took_ms: took, fault, decided_by: decision } = request
  const isHeld = fault !== undefined || (decision !== undefined && LIMITS.includes(decision.what))
  return isHeld || took >= LONG ? held : 0
}

/** Says in a few words who decided the answer to a request; empty if its operation answered as usual. */
export function decisionLabel(request: RequestBrief): string {
  const { decided_by: decision, status } = request
  if (decision === undefined) return isRefused(request) ? 'the service' : ''
  const { what, name, field } = decision
  switch (what) {
    case 'fault':
      return name === 'directive' ? 'fault of a directive' : `fault “${name}”`
    case 'rate_limit':
      return `rate limit “${name}”`
    case 'capacity':
      return 'no capacity'
    case 'credits':
      return 'no credits'
    case 'api_key':
      return name === 'missing_key' ? 'no API key' : 'API key not accepted'
    case 'validation':
      return field === undefined ? 'invalid request' : `invalid ${field}`
    case 'routing':
      return status === 405 ? 'wrong method' : 'unknown path'
    case 'not_found':
      return ABSENCES[name ?? ''] ?? 'not found'
    case 'conflict':
      return 'wrong state'
    case 'signed_url':
      return name === 'expired' ? 'URL expired' : 'URL changed, or its file is gone'
    case 'memory':
      return 'memory budget'
    case 'failure':
      return 'tasksim failed'
    default:
      return ''
  }
}

/** Why a task is not found. */
const ABSENCES: Readonly<Record<string, string>> = {
  other_format: 'task of another format',
  other_key: 'task of another key',
  other_path: 'task of another path',
  evicted: 'evicted task',
  deleted: 'deleted task',
  unknown_task: 'unknown task',
}

const MAX_REASONS = 2

/** Says how many requests were refused, and why: `3 requests were refused: 401, no API key`. */
export function refusalSummary(refused: readonly RequestBrief[]): string {
  const reasons = new Map<string, number>()
  for (const request of refused) {
    const status = request.delivered ? String(request.status) : 'no answer'
    const reason = [status, decisionLabel(request)].filter(Boolean).join(', ')
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  const common = [...reasons].sort(([, a], [, b]) => b - a)
  const shown = common.slice(0, MAX_REASONS).map(([reason, times]) => {
    return common.length === 1 || times === 1 ? reason : `${reason} (${times} times)`
  })
  const rest = common.length > MAX_REASONS ? '; …' : ''
  const what = refused.length === 1 ? 'request was' : 'requests were'
  return `${refused.length} ${what} refused: ${shown.join('; ')}${rest}`
}
