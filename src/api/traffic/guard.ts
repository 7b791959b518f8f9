import type { ServiceOperation } from '../../core/traffic/operations.js'
import { isDelivered, type Reply } from '../exchange.js'
import type { Exchange, Operation, UndisturbedOperation } from '../operation.js'
import { safely } from '../safely.js'
import { readDirective } from './directive.js'
import { faultyRequest } from './faulty-request.js'
import { inject } from './inject.js'
import { limitHeaders, tooManyRequests } from './rate-limit.js'
import { shownIn } from './shown.js'

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
  const reply = await safely(exchange, async () => {
    exchange.directive = sim.scenario.directives ? await readDirective(exchange, id) : undefined
    return disturbed(exchange, id, run)
  })
  if (allowance !== undefined) Object.assign(reply.headers, limitHeaders(allowance, sim))
  return reply
}

function isUndisturbed(id: Operation['id']): id is UndisturbedOperation {
  return id.startsWith('sim.') || id === 'files.preflight'
}

async function disturbed(
  exchange: Exchange,
  operation: ServiceOperation,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const { sim, directive } = exchange
  const { faults } = sim.traffic
  if (faults.isEmpty && directive?.fault === undefined) return remembered(await run(), exchange, operation)
  const since = sim.traffic.since(sim.clock.now())
  const befallen = faults.befalling(await faultyRequest(exchange, operation), since, directive?.fault)
  if (befallen === undefined) return remembered(await run(), exchange, operation)
  const reply = await inject(befallen, exchange, operation, run)
  exchange.note.shown &&= shownIn(reply)
  return remembered(reply, exchange, operation)
}

/** Keeps in mind what was said of a task, as far as the client got to see it. */
function remembered(reply: Reply, { sim, taskId }: Exchange, operation: ServiceOperation): Reply {
  const { status, body } = reply
  const isTask = taskId !== undefined && operation !== 'files.download' && status < 300
  if (isTask && typeof body === 'string' && isDelivered(reply)) sim.traffic.lastAnswers.set(taskId, body)
  return reply
}
