import { firstSegment } from '../dialects/dialects.js'
import { type Awaitable, after } from '../engine/awaitable.js'
import { type ApiRequest, bytesOfReply, isDelivered, type Reply } from '../exchange/exchange.js'
import { overBudget, Problem } from '../exchange/problem.js'
import { shownIn } from '../inspect/journal/last-answer.js'
import type { Simulator } from '../simulator/simulator.js'
import { readDraft, readNamedTask } from './handlers/create-body.js'
import { LAZY_HANDLERS } from './handlers/lazy-operation.js'
import { findDirective } from './middleware/directive.js'
import { withFault } from './middleware/faults.js'
import { journal } from './middleware/journal.js'
import { takeAllowance, withinLimit } from './middleware/limits.js'
import { openExchange } from './open-exchange.js'
import { type Exchange, isOfService, type ServiceExchange } from './operation.js'
import { withoutErrors } from './rejection.js'
import { acceptedKey } from './request-key.js'
import type { Routes } from './routes.js'

/**
 * Creates the function that answers every request.
 *
 * Most requests are polls, which need not wait, so a step returns a promise only if it must wait.
 */
export function createPipeline(routes: Routes): (root: Simulator, request: ApiRequest) => Awaitable<Reply> {
  return (root, request) => {
    const loading = root.dialects.loadFor(request.path)
    if (loading === undefined) return journal(openExchange(routes, root, request), answer)
    return Promise.all([loading, LAZY_HANDLERS.get()]).then(() =>
      journal(openExchange(routes, root, request), answer),
    )
  }
}

/** Answers a request. If a `stale` fault may show a task as it was, keeps how the answer has shown it. */
function answer(exchange: Exchange): Awaitable<Reply> {
  const { areKept } = exchange.sim.requestPolicy.lastAnswers
  const reply = withoutErrors(exchange, answerInTime)
  return areKept ? after(reply, (reply) => keptAnswer(reply, exchange)) : reply
}

function keptAnswer(reply: Reply, { sim, key, taskId, operation, dialect, note }: Exchange): Reply {
  if (taskId === undefined || dialect === undefined) return reply
  const answered = { status: reply.status, delivered: isDelivered(reply), answeredAt: sim.clock.now() }
  const shown = shownIn({ ...answered, operation: operation?.id, taskId, note })
  if (shown !== undefined) sim.requestPolicy.lastAnswers.set(taskId, key, shown)
  return reply
}

/** Runs everything that is due, so that no reply shows an outdated state; then the operation. */
function answerInTime(exchange: Exchange): Awaitable<Reply> {
  const due = exchange.sim.time.schedule.catchUp()
  const reply = due === undefined ? runOperation(exchange) : due.then(() => runOperation(exchange))
  // Other replies are always sent, because their requests may have changed something.
  return exchange.request.method === 'GET' ? after(reply, (reply) => checkedSize(reply, exchange)) : reply
}

/** Rejects a request if sending its long reply would exceed the memory budget. */
function checkedSize(reply: Reply, { sim, note }: Exchange): Reply {
  const bytes = bytesOfReply(reply)
  if (bytes === 0 || sim.memory.canTransfer(bytes)) return reply
  note.observed = undefined
  throw overBudget(sim.memory)
}

/** Runs the operation of a request; one of the service after its key, limits, directive and faults. */
export function runOperation(exchange: Exchange): Awaitable<Reply> {
  if (exchange.problem !== undefined) throw exchange.problem
  if (!isOfService(exchange)) {
    const { operation } = exchange
    return operation === undefined ? withoutOperation(exchange) : operation.run(exchange)
  }
  if (exchange.operation.authenticated) exchange.key = acceptedKey(exchange)
  const allowance = exchange.sim.scenario.rate_limits.length === 0 ? undefined : takeAllowance(exchange)
  return allowance === undefined ? runUnlimited(exchange) : withinLimit(allowance, exchange, runUnlimited)
}

function runUnlimited(exchange: ServiceExchange): Awaitable<Reply> {
  const { reader, taskInBody } = exchange.operation
  const reading = reader ? readDraft(exchange, reader) : taskInBody && readNamedTask(exchange, taskInBody)
  return reading === undefined ? runDirected(exchange) : reading.then(() => runDirected(exchange))
}

function runDirected(exchange: ServiceExchange): Awaitable<Reply> {
  const { operation, sim } = exchange
  const directive = findDirective(exchange)
  exchange.directive = directive
  const isFaultless =
    sim.requestPolicy.faults.isEmpty && directive?.fault === undefined && sim.exploring.current === undefined
  return isFaultless ? operation.run(exchange) : withFault(exchange, operation.run)
}

/** Rejects a request without an operation. Answers OPTIONS requests that have no operation. */
function withoutOperation(exchange: Exchange): Reply {
  const { request, route } = exchange
  const { method, path } = request
  if (route === undefined || (method !== 'OPTIONS' && !namesTask(exchange))) throw unknownPath(exchange)
  const methods = Object.keys(route.methods)
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: undefined }
  throw new Problem('method_not_allowed', `${method} is not possible on ${path}. Use one of: ${allow}.`, {
    headers: { allow },
  })
}

/** Whether the path may be that of a task. A word such as `batch` in the place of its id belongs to another path. */
function namesTask({ namedTask, dialect }: Exchange): boolean {
  return namedTask === undefined || dialect === undefined || dialect.taskIds.pattern.test(namedTask)
}

function unknownPath({ sim, dialect, request: { method, path, origin } }: Exchange): Problem {
  const named = dialect ?? sim.dialects.get(sim.dialects.main)
  const name = firstSegment(path) === named?.name ? `/${named.name}` : ''
  // The hosts of the service itself have no path with the name of the dialect.
  const isAtHost = named?.hosts.some((host) => host.origin === origin) === true
  const [mount, called] = isAtHost ? ['', path.slice(name.length)] : [name, path]
  const asked = `${method} ${called.slice(0, 200)}`
  return new Problem('not_found', `There is nothing at ${asked}. ${named?.help(mount, asked) ?? ''}`)
}
