import type { Attributes } from '@opentelemetry/api'
import type { AnsweredRequest, RequestContext } from '../engine/events.js'
import { SERVICE_METHODS } from '../engine/requests/operations.js'

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
