import { isRefused, type RequestBrief } from './request-brief.js'

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
      return 'not found'
    case 'conflict':
      return 'wrong state'
    case 'signed_url':
      return 'URL expired or changed'
    case 'memory':
      return 'memory budget'
    case 'failure':
      return 'tasksim failed'
    default:
      return ''
  }
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
