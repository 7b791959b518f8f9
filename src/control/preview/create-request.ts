import { createAction } from '../../dialects/tasks/create-action.js'
import { tasks } from '../../dialects/tasks/index.js'
import type { JsonObject } from '../../engine/json.js'
import { apiKeyFor } from '../../http/api-key.js'
import type { ApiRequest, Reply } from '../../http/exchange/exchange.js'
import { createTask } from '../../http/handlers/create-task.js'
import { errors } from '../../http/middleware/errors.js'
import { newExchange } from '../../http/open-exchange.js'
import { runServiceOperation } from '../../http/pipeline.js'
import type { Simulator } from '../../simulator.js'

const OPERATION = createTask(createAction)

/** The response to a create request, and the task that it created. */
export interface CreateAnswer {
  readonly reply: Reply
  /** Known even if a fault keeps the response from the client. */
  readonly taskId: string | undefined
}

/**
 * Sends create requests to a simulator as a client would: keys, credits, rate limits, faults and capacity apply.
 * Skips only the routing, the journal and the parsing of the body.
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
    const exchange = {
      ...newExchange(sim, request, tasks),
      dialect: tasks,
      operation: OPERATION,
      json: body,
    }
    const reply = await errors(exchange, runServiceOperation)
    return { reply, taskId: exchange.taskId }
  }
}
