import type { Awaitable } from '../engine/awaitable.js'
import { stopwatch } from '../engine/clock/system-clock.js'
import type { Simulator } from '../simulator.js'
import { answered } from './answered.js'
import { authenticate } from './authenticate.js'
import { errorReply } from './error-reply.js'
import type { ApiRequest, Reply } from './exchange.js'
import { locate } from './locate.js'
import { canSend } from './long-answer.js'
import { guard, remember } from './middleware/guard.js'
import { openExchange } from './open-exchange.js'
import type { Exchange, Operation } from './operation.js'
import { overBudget } from './over-budget.js'
import { Problem } from './problem.js'
import type { Route } from './route.js'
import { findRoute } from './routes.js'

/**
 * Answers a request: what is due happens first, then the operation runs. This is where every host calls, and
 * nothing is thrown past it.
 *
 * Most requests are polls, which wait for nothing. So what is on their way gives a promise only where there is
 * something to wait for: an async function more costs as much as the rest of a poll.
 */
export async function answer(root: Simulator, request: ApiRequest): Promise<Reply> {
  const begin = stopwatch()
  const { sim, path, problem } = locate(root, request)
  const found = findRoute(path)
  const operation = found && operationOf(found.route, request.method)
  const params = found?.params ?? []
  const exchange = openExchange(sim, request, operation, params, found?.route.namesTask && params[0])
  let reply: Reply
  try {
    if (problem !== undefined) throw problem
    const due = sim.catchUp()
    if (due !== undefined) await due
    reply = await attempt(exchange, found?.route)
    if (!canSend(reply, request.method, sim.memory)) reply = withheld(exchange)
  } catch (error) {
    reply = errorReply(error, exchange)
  }
  exchange.transfer?.release()
  remember(exchange, reply)
  reply.headers['x-request-id'] = exchange.id
  sim.emit('request.answered', answered(exchange, reply, stopwatch() - begin))
  return reply
}

function attempt(exchange: Exchange, route: Route | undefined): Awaitable<Reply> {
  const { sim, request, operation } = exchange
  if (route === undefined) throw unknownPath(request)
  if (operation === undefined) return withoutOperation(route, request)
  if (operation.authenticated) exchange.key = authenticate(request, sim)
  return guard(exchange, operation)
}

function operationOf({ methods }: Route, method: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, wanted) ? methods[wanted] : undefined
}

function withoutOperation(route: Route, { method, path }: ApiRequest): Reply {
  const methods = Object.keys(route.methods)
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: undefined }
  throw new Problem('method_not_allowed', `${method} is not possible on ${path}. Use one of: ${allow}.`, {
    headers: { allow },
  })
}

/** Rejects a request whose answer has no room to be sent, and which has therefore shown nothing to the client. */
function withheld(exchange: Exchange): Reply {
  exchange.note.observed = undefined
  return errorReply(overBudget(exchange.sim.memory), exchange)
}

function unknownPath({ method, path }: ApiRequest): Problem {
  return new Problem(
    'not_found',
    `There is nothing at ${method} ${path.slice(0, 200)}. Tasks are at /api/v1/tasks and /v1/tasks, the dashboard is at /_sim/, and /_sim/docs describes all that there is.`,
  )
}
