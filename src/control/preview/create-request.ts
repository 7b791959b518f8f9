import { MAIN_DIALECT } from '../../dialects/built-in.js'
import type { JsonObject } from '../../engine/json.js'
import { apiKeyFor } from '../../http/api-key.js'
import type { ApiRequest, Reply } from '../../http/exchange/exchange.js'
import { errors } from '../../http/middleware/errors.js'
import { newExchange } from '../../http/open-exchange.js'
import type { ServiceExchange } from '../../http/operation.js'
import { runServiceOperation } from '../../http/pipeline.js'
import { Router } from '../../http/router.js'
import { routesOf } from '../../http/routes.js'
import type { Simulator } from '../../simulator.js'

const PATH = '/api/v1/tasks'
const MATCH = new Router(routesOf(MAIN_DIALECT)).find(PATH)

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
    path: PATH,
    query: '',
    origin: 'http://127.0.0.1',
    header: (name) => headers[name],
    body: async () => new Uint8Array(),
  }
  return async (body) => {
    const exchange = { ...newExchange(sim, request, MAIN_DIALECT, MATCH), json: body }
    const reply = await errors(exchange as ServiceExchange, runServiceOperation)
    return { reply, taskId: exchange.taskId }
  }
}
