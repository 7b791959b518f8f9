import type { Awaitable } from '../engine/awaitable.js'
import type { Simulator } from '../simulator.js'
import type { ApiRequest, Reply } from './exchange/exchange.js'
import { apiKey } from './middleware/api-key.js'
import { catchUp } from './middleware/catch-up.js'
import { directive } from './middleware/directive.js'
import { errors } from './middleware/errors.js'
import { faults } from './middleware/faults.js'
import { journal } from './middleware/journal.js'
import { lastAnswers } from './middleware/last-answers.js'
import { limits } from './middleware/limits.js'
import { pollLoops } from './middleware/poll-loops.js'
import { type RoutedExchange, routing } from './middleware/routing.js'
import { transfers } from './middleware/transfers.js'
import { openExchange } from './open-exchange.js'
import type { Exchange, Handler, ServiceExchange } from './operation.js'
import type { Routes } from './routes.js'

/**
 * Creates the function that answers every request. It never rejects.
 *
 * Each step calls the next one and may change its reply. Most requests are polls, which need not wait. A step returns a
 * promise only if it must wait, because one more async function costs as much as the rest of a poll.
 */
export function createPipeline(routes: Routes): (root: Simulator, request: ApiRequest) => Awaitable<Reply> {
  const steps = compose<Exchange>([lastAnswers, errors, transfers, catchUp], (exchange) =>
    routing(exchange, runOperation),
  )
  const runAfter = async (loading: Promise<unknown>, root: Simulator, request: ApiRequest) => {
    await loading
    return run(root, request)
  }
  const run = (root: Simulator, request: ApiRequest) => journal(openExchange(routes, root, request), steps)
  return (root, request) => {
    const loading = root.dialects.loadFor(request.path)
    return loading === undefined ? run(root, request) : runAfter(loading, root, request)
  }
}

/** The steps of an operation of the service. Operations of the control API run without them. */
export const runServiceOperation: Handler<ServiceExchange> = compose(
  [apiKey, pollLoops, limits, directive, faults],
  (exchange) => exchange.operation.run(exchange),
)

function runOperation(exchange: RoutedExchange): ReturnType<Handler> {
  return isOfService(exchange) ? runServiceOperation(exchange) : exchange.operation.run(exchange)
}

function isOfService(exchange: RoutedExchange): exchange is ServiceExchange {
  return !exchange.isControl && exchange.operation.id !== 'files.preflight'
}

type Step<Of extends Exchange> = (exchange: Of, next: Handler<Of>) => ReturnType<Handler>

function compose<Of extends Exchange>(steps: readonly Step<Of>[], last: Handler<Of>): Handler<Of> {
  return steps.reduceRight<Handler<Of>>((next, step) => (exchange) => step(exchange, next), last)
}
