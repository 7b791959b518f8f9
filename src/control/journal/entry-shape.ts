import { isoTime } from '../../engine/clock/instants.js'
import { mask, maskUrl, maskUrlsIn } from '../../engine/mask.js'
import type { Decider, Decision, FaultCause, Rejection } from '../../engine/requests/answer-cause.js'
import type { AnsweredRequest, RequestNote } from '../../engine/requests/answered-request.js'
import type { Fault } from '../../engine/requests/fault.js'
import type { HeaderSource, SentHeaders } from '../../engine/requests/headers.js'
import { isSecretName } from '../../engine/secret-names.js'
import type { ProblemCode } from '../../exchange/problem.js'
import type { Entry } from '../../inspect/journal/entry.js'
import { deliveryShape } from '../deliveries.js'
import { receiverShape } from '../receivers.js'
import type { EntryShape, RequestEntryShape } from '../shapes.js'
import { briefShape } from '../tasks/task-shape.js'

/**
 * A journal entry as JSON.
 * @param options `isBrief`: whether to leave out headers and bodies
 */
export function entryShape(entry: Entry, { isBrief = false } = {}): EntryShape {
  const { number } = entry
  const at = isoTime(entry.at)
  switch (entry.type) {
    case 'request':
      return {
        number,
        at,
        type: 'request',
        ...requestShape(entry.request),
        ...(!isBrief && contentShape(entry.request)),
      }
    case 'task': {
      const { id, held: _, ...brief } = briefShape(entry.task, false)
      return { number, at, type: 'task', task_id: id, ...brief, rule: entry.task.plan.rule }
    }
    case 'forgotten':
      return { number, at, type: 'forgotten', task_id: entry.taskId, reason: entry.reason }
    case 'delivery':
      return {
        number,
        at,
        type: 'delivery',
        attempt: entry.attempt?.number,
        delivery: deliveryShape(entry.delivery),
      }
    case 'receiver':
      return { number, at, type: 'receiver', receiver: receiverShape(entry.receiver) }
    case 'control':
      return {
        number,
        at,
        type: 'control',
        what: entry.what,
        task_id: entry.taskId,
        detail: entry.detail,
      }
    case 'observation': {
      const { taskId, ...observed } = entry.observation
      return { number, at, type: 'observation', task_id: taskId, ...observed }
    }
  }
}

function requestShape(answered: AnsweredRequest): Omit<RequestEntryShape, 'number' | 'at' | 'type'> {
  const { at, realAt: _, answeredAt, took, taskId, retryAfter, note: __, ...request } = answered
  return {
    ...request,
    task_id: taskId,
    retry_after_ms: retryAfter,
    decided_by: decisionOf(answered),
    took_ms: Math.round(took * 1_000) / 1_000,
    held_ms: answeredAt - at,
  }
}

function contentShape({ note }: AnsweredRequest): Partial<RequestEntryShape> {
  return {
    request_headers: requestHeaders(note),
    response_headers: responseHeaders(note),
    request_body: note.requestBody && maskUrlsIn(note.requestBody),
    response_body: note.responseBody,
  }
}

/** Names that sound like those of secrets, but are not. */
const HARMLESS = new Set([
  'idempotency-key',
  'x-idempotency-key',
  'sec-websocket-key',
  'connection',
  'proxy-connection',
])
const WITH_SCHEME = /^([\w-]+ +)?(\S+) *$/
const URL_START = /^https?:\/\//i

/** The headers of a request, without secrets. */
export function requestHeaders({ headers }: RequestNote): Record<string, string> {
  return headers?.masked((sent) => shown(sent.request, sent)) ?? {}
}

/** The headers of a response, without secrets, and without those that a host adds while it sends them. */
export function responseHeaders({ headers }: RequestNote): Record<string, string> {
  return headers?.masked((sent) => shown(ownHeaders(sent), sent)) ?? {}
}

function ownHeaders({ response }: SentHeaders): SentHeaders['response'] {
  const { 'content-length': _, connection: __, ...own } = response
  return own
}

function shown(headers: HeaderSource, { keyHeader, secrets }: SentHeaders): Record<string, string> {
  const keyName = keyHeader?.toLowerCase()
  const result: Record<string, string> = {}
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : value.join(', ')
    const masked = isSecretHeader(name) || name === keyName ? maskedValue(name, text) : shownValue(text)
    result[name] = secrets.reduce((all, secret) => all.replaceAll(secret, mask(secret)), masked)
  }
  return result
}

function isSecretHeader(name: string): boolean {
  return !HARMLESS.has(name) && isSecretName(name)
}

/** Keeps the scheme before a secret, such as `Bearer`, and the names of cookies. */
function maskedValue(name: string, value: string): string {
  if (name.endsWith('cookie')) return value.replace(/(^|[;,] *)([^=;,]+)=[^;,]*/g, '$1$2=***')
  const [, scheme = '', secret] = WITH_SCHEME.exec(value) ?? []
  if (secret === undefined || /^basic/i.test(scheme)) return `${scheme}***`
  return `${scheme}${mask(secret)}`
}

function shownValue(value: string): string {
  return URL_START.test(value) ? maskUrl(value) : value
}

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
  { code, cause, message, param, limit, known }: Rejection,
  operation: string | undefined,
): Decision {
  if (limit !== undefined) return { what: 'rate_limit', name: limit, reason: message }
  if (code === 'unauthorized') return { what: 'api_key', name: cause, reason: message }
  const isUnrouted = code === 'not_found' && operation === undefined
  const what = isUnrouted ? 'routing' : (deciders.get(code) ?? 'failure')
  return { what, name: known?.name, field: param, reason: known?.reason ?? message }
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
