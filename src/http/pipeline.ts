import { firstSegment } from '../dialects/dialects.js'
import { type Awaitable, after, isPromise } from '../engine/awaitable.js'
import { type ApiRequest, isDelivered, type Reply } from '../exchange/exchange.js'
import { overBudget, Problem } from '../exchange/problem.js'
import { shownIn } from '../inspect/journal/last-answer.js'
import type { Simulator } from '../simulator/simulator.js'
import { apiKey } from './middleware/api-key.js'
import { directive } from './middleware/directive.js'
import { errors } from './middleware/errors.js'
import { faults } from './middleware/faults.js'
import { journal } from './middleware/journal.js'
import { limits } from './middleware/limits.js'
import { pollLoops } from './middleware/poll-loops.js'
import { openExchange } from './open-exchange.js'
import type { Exchange, Handler, Operation, Route, ServiceExchange } from './operation.js'
import type { Routes } from './routes.js'
import { bytesOfReply } from './transfer.js'

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

/** Runs everything that is due, so that no reply shows an outdated state. */
function catchUp<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const due = exchange.sim.catchUp()
  return due === undefined ? next(exchange) : nextAfter(due, exchange, next)
}

async function nextAfter<Of extends Exchange>(
  due: Promise<void>,
  exchange: Of,
  next: Handler<Of>,
): Promise<Reply> {
  await due
  return next(exchange)
}

/** Notes how the client has last seen each task, if a rule of the scenario shows it so again. */
function lastAnswers<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  return exchange.sim.requestPolicy.lastAnswers.areKept ? keepAnswer(exchange, next) : next(exchange)
}

function keepAnswer<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  return after(next(exchange), (reply) => {
    const { sim, key, taskId, operation, isControl, note } = exchange
    if (taskId === undefined || isControl) return reply
    const answered = { status: reply.status, delivered: isDelivered(reply), answeredAt: sim.clock.now() }
    const shown = shownIn({ ...answered, operation: operation?.id, taskId, note })
    if (shown !== undefined) sim.requestPolicy.lastAnswers.set(taskId, key, shown)
    return reply
  })
}

/** An exchange whose path and method have an operation. */
type RoutedExchange = Exchange & { readonly operation: Operation }

/** Rejects a request without an operation. Answers OPTIONS requests that have no operation. */
function routing(exchange: Exchange, next: Handler<RoutedExchange>): Awaitable<Reply> {
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

/**
 * Rejects a GET request if sending its long reply would exceed the memory budget. Other replies are always sent,
 * because their requests may have changed something.
 */
function transfers<Of extends Exchange>(exchange: Of, next: Handler<Of>): Awaitable<Reply> {
  const reply = next(exchange)
  return isPromise(reply) ? checkedLater(reply, exchange) : checked(reply, exchange)
}

function checkedLater(pending: PromiseLike<Reply>, exchange: Exchange): PromiseLike<Reply> {
  return pending.then((reply) => checked(reply, exchange))
}

function checked(reply: Reply, { sim, request, note }: Exchange): Reply {
  const bytes = bytesOfReply(reply)
  if (bytes === 0 || request.method !== 'GET' || sim.memory.canTransfer(bytes)) return reply
  note.observed = undefined
  throw overBudget(sim.memory)
}
