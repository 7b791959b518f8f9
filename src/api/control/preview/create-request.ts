import type { JsonObject } from '../../../core/json.js'
import type { Simulator } from '../../../simulator.js'
import { apiKeyFor } from '../../api-key.js'
import { authenticate } from '../../authenticate.js'
import type { ApiRequest, Reply } from '../../exchange.js'
import { openExchange } from '../../open-exchange.js'
import { safely } from '../../safely.js'
import { createTask } from '../../tasks/create-task.js'
import { guard } from '../../traffic/guard.js'

/** The answer to a create request, and the task that it created. */
export interface CreateAnswer {
  readonly reply: Reply
  /** Also known where a fault keeps the answer from the client. */
  readonly taskId: string | undefined
}

/**
 * Sends create requests to a simulator as a client would: keys, credits, rate limits, faults and capacity apply.
 * Only the routing and the journal are left out, and the body is not read as text.
 */
export function createRequests(sim: Simulator): (body: JsonObject) => Promise<CreateAnswer> {
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${apiKeyFor(sim.scenario)}`,
    'content-type': 'application/json',
  }
  const request: ApiRequest = {
    method: 'POST',
    path: '/api/v1/tasks',
    query: '',
    origin: 'http://127.0.0.1',
    header: (name) => headers[name],
    body: async () => new Uint8Array(),
  }
  return async (body) => {
    const exchange = openExchange(sim, request, createTask, [])
    exchange.json = Promise.resolve(body)
    const reply = await safely(exchange, () => {
      exchange.key = authenticate(request, sim)
      return guard(exchange, createTask)
    })
    return { reply, taskId: exchange.taskId }
  }
}
