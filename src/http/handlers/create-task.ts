import type { CreateAction } from '../../dialects/action.js'
import { InputError } from '../../engine/assets/input-error.js'
import type { RequestNote } from '../../engine/events.js'
import type { JsonObject } from '../../engine/json.js'
import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import { CapacityError } from '../../engine/tasks/capacity-error.js'
import type { NewTask } from '../../engine/tasks/new-task.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import { RecordedRejection } from '../../engine/tasks/recorded-rejection.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { Simulator } from '../../simulator.js'
import { readOrder, sourceOf, surveyedInput } from '../create-body.js'
import { inputProblem } from '../exchange/input-problem.js'
import { overBudget, Problem } from '../exchange/problem.js'
import type { Exchange, ServiceExchange, ServiceOperation } from '../operation.js'
import { recordedAnswer, recordedRejection } from '../recorded-answer.js'
import { heldTask } from './one-task.js'

const MAX_UNKNOWN = 20

/** Creates a task and answers at once; the task continues on the clock. */
export function createTask(action: CreateAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: true,
    async run(exchange) {
      const { sim, dialect, request, key } = exchange
      const { wait = 0, stream, ...order } = await readNewOrder(action, exchange)
      checkBalance(exchange)
      const task = await create(sim, {
        ...order,
        owner: key,
        dialect: dialect.name,
        origin: sim.publicOrigin(request.origin),
        directive: exchange.directive,
        survey: await surveyedInput(exchange),
        trace: sim.parts.tracing.tracer?.beginTask(exchange),
      })
      if (task instanceof RecordedRejection) {
        exchange.note.replay = 'recorded'
        return recordedRejection(task, exchange)
      }
      exchange.taskId = task.id
      if (sim.scenario.recorded !== undefined)
        exchange.note.replay = task.plan.recorded === undefined ? 'learned' : 'recorded'
      if (stream !== undefined) {
        const { streamOf } = await import('./stream-task.js')
        return streamOf(stream, exchange, task)
      }
      const shown = wait > 0 ? await heldTask(exchange, task, wait) : task
      const isOver = isTerminal(shown.status)
      exchange.note.observed = [{ id: task.id, status: isOver ? shown.status : 'processing' }]
      return recordedAnswer(shown, exchange) ?? action.encode(shown, exchange, wait > 0)
    },
  }
}

/**
 * Reads the order in a create request, and notes its unknown fields for the findings.
 * @throws Problem if the service would reject the request
 */
export async function readNewOrder(action: CreateAction, exchange: ServiceExchange) {
  const body = await readOrder(exchange)
  const source = action.source && sourceOf(action, body, exchange)
  const { knownFields, ...order } = action.decode(body, exchange, source)
  if (knownFields !== undefined) noteUnknownFields(exchange.note, body, knownFields)
  return order
}

const NONE: readonly string[] = []

function noteUnknownFields(note: RequestNote, body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).filter((field) => !known.includes(field))
  note.unknownFields = unknown.length === 0 ? NONE : unknown.slice(0, MAX_UNKNOWN)
  if (unknown.length > 0) note.knownFields = known
}

async function create(sim: Simulator, order: NewTask): Promise<Task | RecordedRejection> {
  try {
    return await sim.create(order)
  } catch (error) {
    if (error instanceof RecordedRejection) return error
    throw problemOf(error, sim)
  }
}

function problemOf(error: unknown, sim: Simulator): unknown {
  if (error instanceof CapacityError) return capacityProblem(error, sim.scenario)
  if (error instanceof OverBudgetError) return overBudget(sim.memory)
  return error instanceof InputError ? inputProblem(error) : error
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
