import type { CreateAction, Order } from '../../dialects/action.js'
import type { StreamAction } from '../../dialects/stream-action.js'
import { type Awaitable, after } from '../../engine/awaitable.js'
import type { RequestNote } from '../../engine/events.js'
import type { JsonObject } from '../../engine/json.js'
import { OverBudgetError } from '../../engine/memory/budget.js'
import { CapacityError } from '../../engine/tasks/capacity.js'
import type { InputSummary } from '../../engine/tasks/input.js'
import { InputError } from '../../engine/tasks/kinds.js'
import type { NewTask } from '../../engine/tasks/orders.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import { RecordedRejection } from '../../engine/tasks/recorded-course.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { inputProblem } from '../../exchange/input-problem.js'
import { overBudget, Problem } from '../../exchange/problem.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { Simulator } from '../../simulator/simulator.js'
import { readOrder, sourceOf, surveyedInput } from '../create-body.js'
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
    // The body and its survey are ready if a step before has read them, and most tasks are created at once.
    run: (exchange) => after(readOrder(exchange), (body) => createFrom(body, action, exchange)),
  }
}

function createFrom(body: JsonObject, action: CreateAction, exchange: ServiceExchange): Awaitable<Reply> {
  const order = orderIn(body, action, exchange)
  checkBalance(exchange)
  return after(surveyedInput(exchange), (survey) =>
    after(create(newTask(order, survey, exchange), exchange.sim), (task) =>
      answerNew(task, order, action, exchange),
    ),
  )
}

function newTask(order: Order, survey: InputSummary, exchange: ServiceExchange): NewTask {
  const { model, kind, input, webhookUrl, extra } = order
  const { sim, dialect, request, key, directive } = exchange
  return {
    owner: key,
    dialect: dialect.name,
    model,
    kind,
    input,
    webhookUrl,
    origin: sim.publicOrigin(request.origin),
    directive,
    follow: undefined,
    extra,
    summary: survey,
    trace: sim.parts.tracing.tracer?.beginTask(exchange),
  }
}

function answerNew(
  task: Task | RecordedRejection,
  order: Order,
  action: CreateAction,
  exchange: ServiceExchange,
): Awaitable<Reply> {
  const { sim, note } = exchange
  if (task instanceof RecordedRejection) {
    note.replay = 'recorded'
    return recordedRejection(task, exchange)
  }
  exchange.taskId = task.id
  if (sim.scenario.recorded !== undefined)
    note.replay = task.plan.recorded === undefined ? 'learned' : 'recorded'
  const { wait = 0, stream } = order
  if (stream !== undefined) {
    note.isStream = true
    return answerStream(stream, task, exchange)
  }
  return wait > 0 ? answerHeld(task, wait, action, exchange) : answerTask(task, false, action, exchange)
}

async function answerStream(stream: StreamAction, task: Task, exchange: ServiceExchange): Promise<Reply> {
  const { streamOf } = await import('./stream-task.js')
  return streamOf(stream, exchange, task)
}

async function answerHeld(
  task: Task,
  wait: number,
  action: CreateAction,
  exchange: ServiceExchange,
): Promise<Reply> {
  return answerTask(await heldTask(exchange, task, wait), true, action, exchange)
}

function answerTask(
  task: Task,
  isHeld: boolean,
  action: CreateAction,
  exchange: ServiceExchange,
): Awaitable<Reply> {
  const { id, status } = task
  exchange.note.observed = [{ id, status: isTerminal(status) ? status : 'processing' }]
  return recordedAnswer(task, exchange) ?? action.encode(task, exchange, isHeld)
}

/**
 * Reads the order in a create request, and notes its unknown fields for the findings.
 * @throws Problem if the service would reject the request
 */
export async function readNewOrder(action: CreateAction, exchange: ServiceExchange): Promise<Order> {
  return orderIn(await readOrder(exchange), action, exchange)
}

function orderIn(body: JsonObject, action: CreateAction, exchange: ServiceExchange): Order {
  const source = action.source && sourceOf(action, body, exchange)
  const order = action.decode(body, exchange, source)
  if (order.knownFields !== undefined) noteUnknownFields(exchange.note, body, order.knownFields)
  return order
}

const NONE: readonly string[] = []

function noteUnknownFields(note: RequestNote, body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).filter((field) => !known.includes(field))
  note.unknownFields = unknown.length === 0 ? NONE : unknown.slice(0, MAX_UNKNOWN)
  if (unknown.length > 0) note.knownFields = known
}

/** A webhook fault may delay the result, but not the rejection of an order. */
function create(order: NewTask, sim: Simulator): Awaitable<Task | RecordedRejection> {
  try {
    return sim.create(order)
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
  const seconds = Math.ceil(overflow.retry_after / 1_000)
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
