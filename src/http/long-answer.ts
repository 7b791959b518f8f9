import type { MemoryBudget } from '../engine/memory/budget.js'
import type { Reply } from './exchange.js'

/** Shorter answers do not count, in characters. */
const SHORT = 65_536

/**
 * The bytes of a long answer, which a host counts as a transfer until it is sent: clients that do not read their
 * answers would fill the memory. Files do not count, because all answers with a file share its bytes.
 */
export function bytesOfAnswer({ body }: Reply): number {
  return typeof body === 'string' && body.length >= SHORT ? body.length : 0
}

/** Whether there is room to send an answer. The answer to a request that has changed something is always sent. */
export function canSend(reply: Reply, method: string, memory: MemoryBudget): boolean {
  const bytes = bytesOfAnswer(reply)
  return bytes === 0 || method !== 'GET' || memory.canTransfer(bytes)
}
