import type { AnsweredRequest } from '../core/events.js'
import { stopwatch } from '../core/time/system-clock.js'
import type { Simulator } from '../simulator.js'
import { authenticate, mask } from './authenticate.js'
import { type ControlPolicy, checkControlAccess, withCors, withoutToken } from './control/access.js'
import { type ApiRequest, isDelivered, type Reply } from './exchange.js'
import { MOST_REMEMBERED } from './json-body.js'
import { isOfControl, type Location, locate } from './locate.js'
import type { Exchange, Operation } from './operation.js'
import { Problem } from './problem.js'
import type { Route } from './route.js'
import { findRoute } from './routes.js'
import { safely } from './safely.js'
import { guard } from './traffic/guard.js'

/**
 * Answers a request: what is due happens first, then the operation runs. This is where every host calls, and
 * nothing is thrown past it.
 * @param policy who may use the control API; everybody unless given, as within a process
 */
export async function answer(
  root: Simulator,
  request: ApiRequest,
  policy: ControlPolicy = {},
): Promise<Reply> {
  const begin = stopwatch()
  const isControl = isOfControl(request.path)
  const location = located(root, request)
  const { sim } = location
  const found = findRoute(location.path)
  const exchange: Exchange = {
    id: sim.nextRequestId(),
    sim,
    request,
    key: '',
    params: found?.params ?? [],
    taskId: undefined,
    json: undefined,
    directive: undefined,
    fault: undefined,
    note: { hasAuthorization: request.header('authorization') !== undefined },
  }
  const at = sim.clock.now()
  const reply = await safely(exchange, () => {
    if (isControl) checkControlAccess(request, policy)
    if (location.problem !== undefined) throw location.problem
    return attempt(exchange, found?.route)
  })
  reply.headers['x-request-id'] = exchange.id
  sim.emit('request.answered', answered(exchange, found?.route, reply, at, stopwatch() - begin))
  return isControl ? withCors(reply, request, policy) : reply
}

/** Where a request belongs; one that names no sandbox that there is belongs to the default one, with a problem. */
function located(sim: Simulator, request: ApiRequest): Location & { problem?: Problem } {
  try {
    return locate(sim, request)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { sim, path: request.path, problem: error }
  }
}

function answered(
  { id, sim, request, key, taskId, fault, note }: Exchange,
  route: Route | undefined,
  reply: Reply,
  at: number,
  took: number,
): AnsweredRequest {
  const { method, path } = request
  const query = isOfControl(path) ? withoutToken(request.query) : request.query
  const { status, headers, body } = reply
  if (typeof body === 'string' && body.length <= MOST_REMEMBERED) note.responseBody = body
  return {
    id,
    at,
    answeredAt: sim.clock.now(),
    method,
    path,
    query,
    operation: route && operationOf(route, method)?.id,
    status,
    delivered: isDelivered(reply),
    retryAfter: retryAfterIn(headers, at),
    key: key && mask(key),
    taskId,
    fault,
    took,
    note,
  }
}

/** Milliseconds after which a client may come again, where it was told so in seconds or by a date. */
function retryAfterIn(headers: Reply['headers'], at: number): number | undefined {
  const told = headers['retry-after']
  if (told === undefined) return undefined
  return /^\d+$/.test(told) ? Number(told) * 1_000 : Math.max(0, Date.parse(told) - at)
}

async function attempt(exchange: Exchange, route: Route | undefined): Promise<Reply> {
  const { sim, request } = exchange
  const due = sim.catchUp()
  if (due !== undefined) await due
  if (route === undefined) throw unknownPath(request)
  if (request.method === 'OPTIONS' && route.methods['OPTIONS'] === undefined)
    return { status: 204, headers: { allow: allowed(route) }, body: undefined }
  const operation = operationFor(route, request)
  if (operation.authenticated) exchange.key = authenticate(request, sim)
  return guard(exchange, operation, () => safely(exchange, () => operation.run(exchange)))
}

function operationOf(route: Route, method: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(route.methods, wanted) ? route.methods[wanted] : undefined
}

function operationFor(route: Route, { method, path }: ApiRequest): Operation {
  const operation = operationOf(route, method)
  if (operation !== undefined) return operation
  const allow = allowed(route)
  throw new Problem('method_not_allowed', `${method} is not possible on ${path}. Use one of: ${allow}.`, {
    headers: { allow },
  })
}

function allowed(route: Route): string {
  const methods = Object.keys(route.methods)
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ')
}

function unknownPath({ method, path }: ApiRequest): Problem {
  return new Problem(
    'not_found',
    `There is nothing at ${method} ${path.slice(0, 200)}. Tasks are at /api/v1/tasks and /v1/tasks.`,
  )
}
