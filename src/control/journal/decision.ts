import type { AnsweredRequest } from '../../engine/events.js'
import type { Decider, Decision, FaultCause, Rejection } from '../../engine/requests/answer-cause.js'
import type { Fault } from '../../engine/requests/fault.js'
import type { ProblemCode } from '../../exchange/problem.js'

const DECIDERS: Readonly<Record<ProblemCode, Decider>> = {
  invalid_json: 'validation',
  invalid_request: 'validation',
  invalid_scenario: 'validation',
  unauthorized: 'api_key',
  insufficient_credits: 'credits',
  forbidden: 'signed_url',
  not_found: 'not_found',
  task_not_found: 'not_found',
  model_not_found: 'validation',
  method_not_allowed: 'routing',
  request_timeout: 'validation',
  conflict: 'conflict',
  output_expired: 'signed_url',
  payload_too_large: 'validation',
  unsupported_media_type: 'validation',
  range_not_satisfiable: 'validation',
  expectation_failed: 'validation',
  rate_limited: 'capacity',
  headers_too_large: 'validation',
  internal_error: 'failure',
  unavailable: 'capacity',
  over_budget: 'memory',
}

const deciders = new Map<string, Decider>(Object.entries(DECIDERS))

/** Why a request got its answer; undefined if its operation answered normally. */
export function decisionOf({ note: { cause }, operation }: AnsweredRequest): Decision | undefined {
  if (cause === undefined) return undefined
  return 'fault' in cause ? decisionOfFault(cause) : decisionOfRejection(cause, operation)
}

/** Who rejected a request, and why. */
function decisionOfRejection(
  { code, cause, message, param, limit }: Rejection,
  operation: string | undefined,
): Decision {
  if (limit !== undefined) return { what: 'rate_limit', name: limit, reason: message }
  if (code === 'unauthorized') return { what: 'api_key', name: cause, reason: message }
  const isUnrouted = code === 'not_found' && operation === undefined
  const what = isUnrouted ? 'routing' : (deciders.get(code) ?? 'failure')
  return { what, field: param, reason: message }
}

/** Undefined if the fault does not change the answer of the operation. */
function decisionOfFault({ fault, rule }: FaultCause): Decision | undefined {
  const effect = effectOf(fault)
  if (effect === undefined) return undefined
  const source = rule === 'directive' ? 'The directive in the request' : `The fault rule \`${rule}\``
  return { what: 'fault', name: rule, reason: `${source} ${effect}.` }
}

function effectOf(fault: Fault): string | undefined {
  const { status, hang, reset, cut, body, stale, patch, content_type: type, headers } = fault
  if (hang) return `never answers${executedNote(fault)}`
  if (reset === 'before') return `resets the connection before the answer${executedNote(fault)}`
  if (reset !== undefined)
    return `resets the connection ${reset === 'during' ? 'during' : 'after'} the headers`
  if (cut !== undefined) return `closes the connection after ${Math.round(cut * 100)} % of the body`
  if (status !== undefined) return `answers ${status}`
  if (stale) return 'shows the task as the client last saw it'
  if (body !== undefined || patch !== undefined) return 'changes the body of the answer'
  return type !== undefined || headers !== undefined ? 'changes the headers of the answer' : undefined
}

function executedNote({ executed }: Fault): string {
  return executed === true ? ', but the operation has run' : ''
}
