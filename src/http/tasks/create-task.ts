import { InputError } from '../../engine/assets/input-error.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import { CapacityError } from '../../engine/tasks/capacity-error.js'
import type { NewTask } from '../../engine/tasks/new-task.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import { HTTP_URL_FORM, httpUrl } from '../../engine/webhooks/http-url.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { Simulator } from '../../simulator.js'
import { readJsonObject, surveyedInput } from '../json-body.js'
import type { Exchange, ServiceExchange } from '../operation.js'
import { invalid, overBudget, Problem } from '../exchange/problem.js'
import { jsonText } from '../exchange/reply.js'
import { checkTarget } from '../webhook-target.js'
import { checkLlmInput } from './check-llm-input.js'
import { taskText } from './task-body.js'

const FIELDS = ['model', 'input', 'webhook_url']
const MAX_UNKNOWN = 20
const LONGEST_MODEL = 200
const LONGEST_URL = 2_000

/** Creates a task and answers at once; the task continues on the clock. */
export const createTask: ServiceExchange['operation'] = {
  id: 'tasks.create',
  authenticated: true,
  async run(exchange) {
    const { sim, request, key } = exchange
    const body = await readJsonObject(exchange)
    const model = modelIn(body, exchange)
    const input = inputIn(body)
    if (sim.tasks.planner.kindOf(model, input) === 'llm') checkLlmInput(input, sim.scenario.api.validation)
    const webhookUrl = webhookUrlIn(body)
    if (webhookUrl !== undefined) checkTarget(sim, 'webhook_url', webhookUrl)
    const unknown = Object.keys(body).filter((field) => !FIELDS.includes(field))
    if (unknown.length > 0) exchange.note.unknownFields = unknown.slice(0, MAX_UNKNOWN)
    checkBalance(exchange)
    const origin = sim.publicOrigin(request.origin)
    const task = await create(sim, {
      owner: key,
      model,
      input,
      webhookUrl,
      origin,
      directive: exchange.directive,
      survey: await surveyedInput(exchange),
    })
    exchange.taskId = task.id
    exchange.note.observed = [{ id: task.id, status: 'processing' }]
    const { createStatus, hideQueue } = sim.scenario.api
    return jsonText(createStatus, taskText(exchange, hideQueue ? { ...task, status: 'processing' } : task))
  },
}

async function create(sim: Simulator, order: NewTask): Promise<Task> {
  try {
    return await sim.create(order)
  } catch (error) {
    throw problemOf(error, sim)
  }
}

function problemOf(error: unknown, sim: Simulator): unknown {
  if (error instanceof CapacityError) return capacityProblem(error, sim.scenario)
  if (error instanceof OverBudgetError) return overBudget(sim.memory)
  return error instanceof InputError ? invalid('field', error.param, error.given, error.expected) : error
}

function capacityProblem({ message }: CapacityError, { capacity: { overflow } }: Scenario): Problem {
  const seconds = Math.ceil(overflow.retryAfter / 1_000)
  const code = overflow.status === 429 ? 'rate_limited' : 'unavailable'
  return new Problem(code, `${message} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

function checkBalance({ sim, key }: Exchange): void {
  const balance = sim.requestPolicy.accounts.balance(key)
  if (balance === undefined || balance > 0) return
  throw new Problem(
    'insufficient_credits',
    `The credits of this API key are used up: ${toDollars(balance).toFixed(2)} USD are left. Use another key, or give it more under \`auth\`.`,
  )
}

function modelIn(body: JsonObject, { sim }: Exchange): string {
  const model = required(body, 'model', 'a string such as "provider/model-name"')
  if (typeof model !== 'string' || model === '' || model.length > LONGEST_MODEL) {
    throw invalid(
      'field',
      'model',
      model,
      `a string of 1 to ${LONGEST_MODEL} characters, such as "provider/model-name"`,
    )
  }
  if (sim.scenario.api.unknownModels === 'reject' && !sim.tasks.planner.lists(model)) {
    throw new Problem(
      'model_not_found',
      `There is no model ${JSON.stringify(model)}. Use one that the scenario lists under \`models\`.`,
      {
        param: 'model',
      },
    )
  }
  return model
}

function inputIn(body: JsonObject): JsonObject {
  const input = required(body, 'input', "an object with the model's parameters")
  if (isJsonObject(input)) return input
  throw invalid('field', 'input', input, "an object with the model's parameters")
}

function webhookUrlIn(body: JsonObject): string | undefined {
  const url = Object.hasOwn(body, 'webhook_url') ? body['webhook_url'] : undefined
  if (url === undefined || url === null) return undefined
  const usable = typeof url === 'string' && url.length <= LONGEST_URL ? httpUrl(url) : undefined
  if (usable !== undefined) return usable
  throw invalid('field', 'webhook_url', url, `at most ${LONGEST_URL} characters long, and ${HTTP_URL_FORM}`)
}

function required(body: JsonObject, param: string, expected: string): JsonValue | undefined {
  if (Object.hasOwn(body, param)) return body[param]
  throw new Problem('invalid_request', `The field \`${param}\` is missing: give ${expected}.`, { param })
}
