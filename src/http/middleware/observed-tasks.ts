import type { RequestNote } from '../../engine/events.js'
import { isStatus } from '../../engine/tasks/task.js'
import { isDelivered, type Reply } from '../exchange.js'

/** The states of tasks that a client reads in an answer which a fault has altered, or kept from it. */
export function observedIn(reply: Reply): NonNullable<RequestNote['observed']> {
  if (!isDelivered(reply) || typeof reply.body !== 'string') return []
  const { data, ...task } = Object(parsed(reply.body)) as Record<string, unknown>
  return (Array.isArray(data) ? data : [task]).flatMap((shown: unknown) => {
    const { id, status } = Object(shown) as Record<string, unknown>
    return typeof id === 'string' && isStatus(status) ? [{ id, status }] : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
