import type { Attributes, HrTime } from '@opentelemetry/api'
import { maskUrl } from '../engine/mask.js'
import type { AnsweredRequest, RequestContext } from '../engine/requests/answered-request.js'
import { SERVICE_METHODS } from '../engine/requests/operations.js'
import type { Task } from '../engine/tasks/task.js'
import { type Attempt, type Delivery, isTimeout } from '../engine/webhooks/deliveries/delivery.js'
import type { Simulator } from '../simulator/simulator.js'

// Names and values follow the semantic conventions for HTTP:
// https://opentelemetry.io/docs/specs/semconv/http/

const KNOWN_METHODS: ReadonlySet<string> = new Set([...SERVICE_METHODS, 'OPTIONS', 'CONNECT', 'TRACE'])

/** Stands for any value that is not known, so that the number of different values stays small. */
const OTHER = '_OTHER'

/** The attributes of a request in spans and metrics, each with few different values. */
export function serverAttributes(request: AnsweredRequest, context: RequestContext | undefined): Attributes {
  const { method, status, dialect, operation, fault } = request
  const route = routeOf(request, context)
  return {
    'http.request.method': KNOWN_METHODS.has(method) ? method : OTHER,
    'url.scheme': context?.request.origin.startsWith('https:') ? 'https' : 'http',
    ...(route !== undefined && { 'http.route': route }),
    ...(status !== 0 && { 'http.response.status_code': status }),
    ...errorType(serverError(request)),
    ...(operation !== undefined && { 'tasksim.operation': operation }),
    ...(dialect !== undefined && { 'tasksim.dialect': dialect }),
    ...(fault !== undefined && { 'tasksim.fault': fault }),
  }
}

/** The type of the error that a server reports, by its status; undefined if the request has no such error. */
export function serverError({ status, delivered }: AnsweredRequest): string | undefined {
  if (!delivered) return 'undelivered'
  return status >= 500 ? String(status) : undefined
}

/** The name of a span of a server: the method and the route. */
export function serverSpanName(request: AnsweredRequest, context: RequestContext | undefined): string {
  const method = KNOWN_METHODS.has(request.method) ? request.method : 'HTTP'
  const route = routeOf(request, context)
  return route === undefined ? method : `${method} ${route}`
}

/** The route of a request. The routes of a dialect have their paths below its name. */
function routeOf(
  { path, dialect }: AnsweredRequest,
  context: RequestContext | undefined,
): string | undefined {
  const route = context?.route?.path
  if (route === undefined || dialect === undefined) return route
  const prefix = `/${dialect}`
  return path.startsWith(`${prefix}/`) && !route.startsWith(`${prefix}/`) ? prefix + route : route
}

/** The attributes of the server that a URL names. */
export function addressAttributes(url: string): Attributes {
  if (!URL.canParse(url)) return {}
  const { hostname, port, protocol } = new URL(url)
  const standard = protocol === 'https:' ? 443 : 80
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? standard : Number(port),
  }
}

/** The attribute with the type of an error, if there is one. */
export function errorType(type: string | undefined): Attributes {
  return type === undefined ? {} : { 'error.type': type }
}

/** The attributes of a webhook attempt in metrics, each with few different values. */
export function attemptAttributes({ url }: Delivery, attempt: Attempt): Attributes {
  return {
    'http.request.method': 'POST',
    ...addressAttributes(url),
    ...(attempt.status !== undefined && { 'http.response.status_code': attempt.status }),
    ...errorType(attemptError(attempt)),
  }
}

/** Further attributes of a webhook attempt in its span. Secrets in the URL are masked. */
export function attemptDetails({ id, url, event, rule, copyOf }: Delivery, attempt: Attempt): Attributes {
  return {
    'url.full': maskUrl(url),
    ...(attempt.number > 1 && { 'http.request.resend_count': attempt.number - 1 }),
    'tasksim.webhook.delivery.id': id,
    'tasksim.webhook.event': event,
    ...(rule !== undefined && { 'tasksim.webhook.rule': rule }),
    ...(attempt.flaw !== undefined && { 'tasksim.webhook.flaw': attempt.flaw }),
    ...(copyOf !== undefined && { 'tasksim.webhook.copy_of': copyOf }),
  }
}

/** The type of the error that the sender of a webhook reports; undefined if the receiver has accepted it. */
export function attemptError({ status, error }: Attempt): string | undefined {
  if (status === undefined) return isTimeout(error ?? '') ? 'timeout' : 'no_response'
  return status >= 300 ? String(status) : undefined
}

/** The attributes of every span: they say which clock its times come from. */
export function simulatorAttributes({ clock, identity, partition }: Simulator): Attributes {
  return {
    'tasksim.clock.mode': clock.mode,
    ...(clock.mode === 'real' && { 'tasksim.clock.speed': clock.speed }),
    ...(identity !== undefined && { 'tasksim.sandbox.id': identity.id }),
    ...(partition !== undefined && { 'tasksim.partition': partition }),
  }
}

/** The attributes of a task, without its input and its output. */
export function taskAttributes({ id, model, kind, dialect, plan }: Task): Attributes {
  return {
    'tasksim.task.id': id,
    'tasksim.task.model': model,
    'tasksim.task.kind': kind,
    'tasksim.dialect': dialect,
    ...(plan.rule !== undefined && { 'tasksim.task.rule': plan.rule }),
  }
}

/**
 * An instant of the simulator's clock, for a span.
 * @param at epoch milliseconds. As a number, OpenTelemetry could take it for the time since the start of the process
 */
export function instantOf(at: number): HrTime {
  const seconds = Math.floor(at / 1_000)
  return [seconds, Math.round((at - seconds * 1_000) * 1_000_000)]
}
