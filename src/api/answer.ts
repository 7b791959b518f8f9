import { stopwatch } from '../core/time/system-clock.js'
import type { Simulator } from '../simulator.js'
import { authenticate } from './authenticate.js'
import type { ApiRequest, Reply } from './exchange.js'
import type { Exchange, Operation } from './operation.js'
import { Problem } from './problem.js'
import { rejection } from './reply.js'
import { findRoute, type Route } from './routes.js'

/**
 * Answers a request: what is due happens first, then the operation runs. This is where every host calls, and
 * nothing is thrown past it.
 */
export async function answer(sim: Simulator, request: ApiRequest): Promise<Reply> {
  const begin = stopwatch()
  const id = sim.nextRequestId()
  const found = findRoute(request.path)
  const exchange: Exchange = { sim, request, key: '', params: found?.params ?? [], taskId: undefined }
  const reply = await attempt(exchange, found?.route, id)
  sim.emit('request.answered', {
    id,
    method: request.method,
    path: request.path,
    status: reply.status,
    taskId: exchange.taskId,
    took: stopwatch() - begin,
  })
  reply.headers['x-request-id'] = id
  return reply
}

async function attempt(exchange: Exchange, route: Route | undefined, requestId: string): Promise<Reply> {
  const { sim, request } = exchange
  try {
    const due = sim.catchUp()
    if (due !== undefined) await due
    if (route === undefined) throw unknownPath(request)
    if (request.method === 'OPTIONS' && route.methods['OPTIONS'] === undefined)
      return { status: 204, headers: { allow: allowed(route) }, body: undefined }
    const operation = operationFor(route, request)
    const key = operation.authenticated ? authenticate(request, sim.scenario) : ''
    return await operation.run(Object.assign(exchange, { key }))
  } catch (error) {
    return rejection(problemOf(error, sim), requestId, sim.scenario.api.errors)
  }
}

function operationFor(route: Route, { method, path }: ApiRequest): Operation {
  const wanted = method === 'HEAD' ? 'GET' : method
  const operation = Object.hasOwn(route.methods, wanted) ? route.methods[wanted] : undefined
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

function problemOf(error: unknown, sim: Simulator): Problem {
  if (error instanceof Problem) return error
  sim.emit('error', error)
  return new Problem('internal_error', 'tasksim itself failed on this request; its log says more.')
}
