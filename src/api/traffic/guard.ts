import type { Directive } from '../../core/directive/directive.js'
import type { ServiceOperation } from '../../core/traffic/operations.js'
import type { Reply } from '../exchange.js'
import type { Exchange, Operation, UndisturbedOperation } from '../operation.js'
import { readDirective } from './directive.js'
import { faultyRequest } from './faulty-request.js'
import { inject } from './inject.js'
import { limitHeaders, tooManyRequests } from './rate-limit.js'

/**
 * Runs an operation of the service behind its rate limits, and does to it what faults say. Operations of the
 * control API run undisturbed.
 */
export async function guard(
  exchange: Exchange,
  { id }: Operation,
  run: () => Promise<Reply>,
): Promise<Reply> {
  if (isUndisturbed(id)) return run()
  const { sim, key } = exchange
  const allowance = sim.traffic.limits.take(id, key, sim.clock.now())
  if (allowance?.retryAt !== undefined) throw tooManyRequests(allowance, sim)
  const directive = sim.scenario.directives ? await readDirective(exchange, id) : undefined
  exchange.directive = directive
  const reply = await disturbed(exchange, id, directive, run)
  if (allowance !== undefined) Object.assign(reply.headers, limitHeaders(allowance, sim))
  return reply
}

function isUndisturbed(id: Operation['id']): id is UndisturbedOperation {
  return id.startsWith('sim.') || id === 'files.preflight'
}

async function disturbed(
  exchange: Exchange,
  operation: ServiceOperation,
  directive: Directive | undefined,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const { sim } = exchange
  const { faults, lastAnswers } = sim.traffic
  if (faults.isEmpty && directive?.fault === undefined) return run()
  const since = sim.traffic.since(sim.clock.now())
  const befallen = faults.befalling(await faultyRequest(exchange, operation), since, directive?.fault)
  if (befallen !== undefined) return inject(befallen, exchange, run)
  const reply = await run()
  if (exchange.taskId !== undefined && reply.status < 300 && typeof reply.body === 'string')
    lastAnswers?.set(exchange.taskId, reply.body)
  return reply
}
