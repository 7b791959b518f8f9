import { firstSegment } from '../dialects/dialects.js'
import type { Awaitable } from '../engine/awaitable.js'
import { type ApiRequest, bytesOfReply, isDelivered, type Reply } from '../exchange/exchange.js'
import { overBudget, Problem } from '../exchange/problem.js'
import { shownIn } from '../inspect/journal/last-answer.js'
import type { Simulator } from '../simulator/simulator.js'
import { readDraft } from './handlers/create-body.js'
import { LAZY_HANDLERS } from './handlers/lazy-operation.js'
import { findDirective } from './middleware/directive.js'
import { mayHaveFault, withFault } from './middleware/faults.js'
import { journal } from './middleware/journal.js'
import { addLimitHeaders, takeAllowance, tooManyRequests } from './middleware/limits.js'
import { openExchange } from './open-exchange.js'
import type { Exchange, ServiceExchange } from './operation.js'
import { rejectionOf, withoutErrors } from './rejection.js'
import { acceptedKey } from './request-key.js'
import type { Routes } from './routes.js'

/** Creates the function that answers every request. Its promise never rejects. */
export function createPipeline(routes: Routes): (root: Simulator, request: ApiRequest) => Promise<Reply> {
  return async (root, request) => {
    const loading = root.dialects.loadFor(request.path)
    if (loading !== undefined) await Promise.all([loading, LAZY_HANDLERS.get()])
    return await journal(openExchange(routes, root, request), answer)
  }
}

async function answer(exchange: Exchange): Promise<Reply> {
  const { sim, request } = exchange
  try {
    // No reply may show an outdated state.
    const due = sim.catchUp()
    if (due !== undefined) await due
    const reply = await runOperation(exchange)
    // Other replies are always sent, because their requests may have changed something.
    if (request.method === 'GET') checkSize(reply, exchange)
    keepForStaleFaults(reply, exchange)
    return reply
  } catch (error) {
    return rejectionOf(error, exchange)
  }
}

function runOperation(exchange: Exchange): Awaitable<Reply> {
  const { operation, problem } = exchange
  if (problem !== undefined) throw problem
  if (operation === undefined) return withoutOperation(exchange)
  return isOfService(exchange) ? runServiceOperation(exchange) : operation.run(exchange)
}

/** Whether an operation is one of the service, to which faults and limits apply. */
export function isOfService(exchange: Exchange): exchange is ServiceExchange {
  const { operation, dialect } = exchange
  return dialect !== undefined && operation !== undefined && operation.id !== 'files.preflight'
}

/** Runs an operation of the service, with all that may come before it: key, limits, directive and faults. */
export async function runServiceOperation(exchange: ServiceExchange): Promise<Reply> {
  const { operation } = exchange
  if (operation.authenticated) exchange.key = acceptedKey(exchange)
  if (operation.taskInBody !== undefined) exchange.namedTask = await operation.taskInBody(exchange)
  const allowance = takeAllowance(exchange)
  if (allowance === undefined) return await runWithinLimit(exchange)
  if (allowance.retryAt !== undefined) throw await tooManyRequests(allowance, exchange)
  const reply = await withoutErrors(exchange, runWithinLimit)
  addLimitHeaders(reply, allowance, exchange)
  return reply
}

async function runWithinLimit(exchange: ServiceExchange): Promise<Reply> {
  const { operation } = exchange
  if (operation.reader !== undefined) await readDraft(exchange, operation.reader)
  exchange.directive = findDirective(exchange)
  return await (mayHaveFault(exchange) ? withFault(exchange, operation.run) : operation.run(exchange))
}

/** Rejects a request if sending its long reply would exceed the memory budget. */
function checkSize(reply: Reply, { sim, note }: Exchange): void {
  const bytes = bytesOfReply(reply)
  if (bytes === 0 || sim.memory.canTransfer(bytes)) return
  note.observed = undefined
  throw overBudget(sim.memory)
}

/** Keeps how an answer has shown its task, if a `stale` fault may show it so again. */
function keepForStaleFaults(reply: Reply, { sim, key, taskId, operation, isControl, note }: Exchange): void {
  const { lastAnswers } = sim.requestPolicy
  if (!lastAnswers.areKept || taskId === undefined || isControl) return
  const answered = { status: reply.status, delivered: isDelivered(reply), answeredAt: sim.clock.now() }
  const shown = shownIn({ ...answered, operation: operation?.id, taskId, note })
  if (shown !== undefined) lastAnswers.set(taskId, key, shown)
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
