import { firstSegment } from '../../dialects/dialects.js'
import type { Awaitable } from '../../engine/awaitable.js'
import type { ApiRequest, Reply } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import type { Exchange, Handler, Operation, Route } from '../operation.js'

/** An exchange whose path and method have an operation. */
export type RoutedExchange = Exchange & { readonly operation: Operation }

/** Rejects a request without an operation. Answers OPTIONS requests that have no operation. */
export function routing(exchange: Exchange, next: Handler<RoutedExchange>): Awaitable<Reply> {
  const { request, route, problem } = exchange
  if (problem !== undefined) throw problem
  if (route === undefined) throw unknownPath(exchange)
  if (isRouted(exchange)) return next(exchange)
  if (request.method !== 'OPTIONS' && !namesTask(exchange)) throw unknownPath(exchange)
  return withoutOperation(route, request)
}

/** Whether the path may be that of a task. A word such as `batch` in the place of its id belongs to another path. */
function namesTask({ namedTask, dialect }: Exchange): boolean {
  return namedTask === undefined || dialect === undefined || dialect.taskIds.pattern.test(namedTask)
}

function isRouted(exchange: Exchange): exchange is RoutedExchange {
  return exchange.operation !== undefined
}

function withoutOperation(route: Route, { method, path }: ApiRequest): Reply {
  const methods = Object.keys(route.methods)
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: undefined }
  throw new Problem('method_not_allowed', `${method} is not possible on ${path}. Use one of: ${allow}.`, {
    headers: { allow },
  })
}

function unknownPath({ sim, dialect, request: { method, path } }: Exchange): Problem {
  const named = dialect ?? sim.dialects.get(sim.dialects.main)
  const mount = firstSegment(path) === named?.name ? `/${named.name}` : ''
  return new Problem(
    'not_found',
    `There is nothing at ${method} ${path.slice(0, 200)}. ${named?.help(mount, `${method} ${path.slice(0, 200)}`) ?? ''}`,
  )
}
