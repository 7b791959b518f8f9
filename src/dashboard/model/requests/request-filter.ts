import type { RequestEntryShape } from '../../../control/shapes.js'
import { ListFilter } from '../list-filter.js'

/** The classes of statuses to choose from. */
export const STATUS_CLASSES = ['answered', 'refused', '4xx', '5xx', 'lost'] as const

/** A condition on requests, as in the address and in the query of the journal. */
export type RequestCondition = 'status' | 'operation' | 'dialect' | 'key'

/** The filter of the requests. It calls a missing operation, and a key that was not accepted, `none`. */
export const REQUEST_FILTER = new ListFilter<RequestBrief, RequestCondition>(
  {
    status: (request) => [isRefused(request) ? 'refused' : 'answered', ...statusesOf(request)],
    operation: ({ operation = 'none' }) => operation,
    dialect: ({ dialect }) => dialect,
    key: ({ key }) => key || 'none',
  },
  ({ id, method, path, query, task_id: task = '', key, decided_by: decision }) => {
    const { name = '', field = '', reason = '' } = decision ?? {}
    return `${id} ${method} ${path} ${query} ${task} ${key} ${name} ${field} ${reason}`
  },
)

/** The status and its class, such as `4xx`. The client has not seen that of a lost response. */
function statusesOf({ status, delivered }: RequestBrief): string[] {
  return delivered ? [String(status), `${Math.floor(status / 100)}xx`] : ['lost']
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
    case 'api_key':
      return name === 'missing_key' ? 'no API key' : 'API key not accepted'
    case 'validation':
      return field === undefined ? 'invalid request' : `invalid ${field}`
    case 'routing':
      return status === 405 ? 'wrong method' : 'unknown path'
    case 'not_found':
      return ABSENCES[name ?? ''] ?? 'not found'
    case 'signed_url':
      return name === 'expired' ? 'URL expired' : 'URL changed, or its file is gone'
    default:
      return DECISIONS[what] ?? ''
  }
}

/** The decisions that always have the same label. */
const DECISIONS: Readonly<Record<string, string>> = {
  capacity: 'no capacity',
  credits: 'no credits',
  conflict: 'wrong state',
  memory: 'memory budget',
  failure: 'tasksim failed',
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
