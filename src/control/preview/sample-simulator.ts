import { MAIN_DIALECT } from '../../dialects/built-in.js'
import type { Dialects } from '../../dialects/dialects.js'
import type { JsonObject } from '../../engine/json.js'
import type { MemoryBudget } from '../../engine/memory/budget.js'
import type { Kind } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { apiKeyFor } from '../../http/api-key.js'
import { newExchange } from '../../http/open-exchange.js'
import { runOperation } from '../../http/pipeline.js'
import { withoutErrors } from '../../http/rejection.js'
import { RouteTree, routesOf } from '../../http/routes.js'
import { KINDS, kindNamed } from '../../kinds/built-in-kinds.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { SimulatorSettings } from '../../simulator/settings.js'
import { Simulator } from '../../simulator/simulator.js'
import type { GivenParts } from '../../simulator/simulator-parts.js'
import { ownRequest } from '../own-request.js'

/** The options of a sample. */
export interface SampleOptions {
  readonly model: string
  /** How many create requests to send. */
  readonly tasks: number
  /** Milliseconds between two requests, on the clock of the sample. */
  readonly every: number
  readonly seed: string | undefined
  /** The memory budget to share. By default, the sample has a separate one. */
  readonly memory?: MemoryBudget
  /** The dialects that the scenario may name. By default, those that are built in. */
  readonly dialects?: Dialects
  /** Ends the sample early. */
  readonly signal?: AbortSignal | undefined
  /** Called repeatedly with the number of requests sent. */
  readonly onProgress?: (sent: number) => void
}

/** The limit of the clock after the last request. */
export const IDLE_LIMIT = '36500d'

const RECEIVER = 'http://127.0.0.1:9/preview'

/**
 * Creates a simulator on a manual clock that sends no webhooks, and forgets tasks as they end.
 * @param announce called with the events of tasks
 */
export function sampleSimulator(
  scenario: Scenario,
  { seed, memory, dialects }: SampleOptions,
  announce: GivenParts['announce'],
): Simulator {
  const settings: SimulatorSettings = {
    clock: 'manual',
    keepTasks: 0,
    receivers: [{ url: RECEIVER }],
    ...(seed !== undefined && { seed }),
  }
  return new Simulator(scenario, settings, undefined, { memory, dialects, announce })
}

/** The kind of a model, and an input for it. */
export function sampledModel(
  {
    tasks: {
      factory: { planner },
    },
  }: Simulator,
  model: string,
): { readonly kind: Kind; readonly input: JsonObject } {
  const kind = planner.kindOf(model, {})
  return { kind, input: (kindNamed(planner.baseOf(kind)) ?? KINDS[0]).example.input }
}

const PATH = '/api/v1/tasks'
const MATCH = new RouteTree(routesOf(MAIN_DIALECT)).find(PATH)

/** The response to a create request, and the task that it created. */
interface CreateAnswer {
  readonly reply: Reply
  /** Known even if a fault keeps the response from the client. */
  readonly taskId: string | undefined
}

/**
 * Sends create requests to a simulator as a client would: keys, credits, rate limits, faults and capacity apply.
 * Skips only the routing, the journal and the parsing of the body.
 */
export function createRequests(sim: Simulator): (body: JsonObject) => Promise<CreateAnswer> {
  const request = ownRequest({
    method: 'POST',
    path: PATH,
    origin: 'http://127.0.0.1',
    headers: { authorization: `Bearer ${apiKeyFor(sim.scenario)}`, 'content-type': 'application/json' },
  })
  return async (body) => {
    const exchange = newExchange(sim, request, MAIN_DIALECT, MATCH)
    exchange.body.json = body
    const reply = await withoutErrors(exchange, runOperation)
    return { reply, taskId: exchange.taskId }
  }
}
