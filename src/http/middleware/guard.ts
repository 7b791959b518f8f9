import type { Awaitable } from '../../engine/awaitable.js'
import type { Allowance } from '../../engine/requests/rate-limiter.js'
import { withErrorReply } from '../error-reply.js'
import { isDelivered, type Reply } from '../exchange.js'
import type { Exchange, GuardedOperation, Operation } from '../operation.js'
import { applyFault } from './apply-fault.js'
import { directiveInHeader, directiveInInput } from './directive.js'
import { limitHeaders, tooManyRequests } from './rate-limit.js'

/**
 * Runs an operation of the service behind its rate limits, and does to it what faults say. Operations of the
 * control API run undisturbed.
 */
export function guard(exchange: Exchange, operation: Operation): Awaitable<Reply> {
  if (!isGuarded(operation)) return operation.run(exchange)
  const { sim, key } = exchange
  const allowance = sim.requestPolicy.limits.take(operation.id, key, sim.clock.now())
  if (allowance === undefined) return directed(exchange, operation)
  if (allowance.retryAt !== undefined) throw tooManyRequests(allowance, sim)
  return limited(exchange, operation, allowance)
}

/** Keeps in mind what was said of a task, as far as the client got to see it. */
export function remember({ sim, key, taskId, operation }: Exchange, reply: Reply): void {
  if (taskId === undefined || reply.status >= 300 || typeof reply.body !== 'string') return
  if (operation === undefined || !isGuarded(operation) || operation.id === 'files.download') return
  if (isDelivered(reply)) sim.requestPolicy.lastAnswers.set(taskId, key, reply.body)
}

function isGuarded(operation: Operation): operation is GuardedOperation {
  return !operation.id.startsWith('sim.') && operation.id !== 'files.preflight'
}

/** Whoever is let in is told how much is left, even where the answer is a rejection. */
async function limited(
  exchange: Exchange,
  operation: GuardedOperation,
  allowance: Allowance,
): Promise<Reply> {
  const reply = await withErrorReply(exchange, () => directed(exchange, operation))
  Object.assign(reply.headers, limitHeaders(allowance, exchange.sim))
  return reply
}

function directed(exchange: Exchange, operation: GuardedOperation): Awaitable<Reply> {
  if (!exchange.sim.scenario.directives) return disturbed(exchange, operation)
  exchange.directive = directiveInHeader(exchange, operation.id)
  if (exchange.directive !== undefined || operation.id !== 'tasks.create')
    return disturbed(exchange, operation)
  return directiveInInput(exchange).then((directive) => {
    exchange.directive = directive
    return disturbed(exchange, operation)
  })
}

function disturbed(exchange: Exchange, operation: GuardedOperation): Awaitable<Reply> {
  const { sim, directive } = exchange
  if (sim.requestPolicy.faults.isEmpty && directive?.fault === undefined) return operation.run(exchange)
  return applyFault(exchange, operation)
}
