import { taskAnswer } from '../../dialects/table/answers/task-answer.js'
import type { CreateOperation } from '../../dialects/table/dialect-table.generated.js'
import { shownEnd } from '../../dialects/table/ended.js'
import type { Endpoint } from '../../dialects/table/requests/endpoint.js'
import { apiSettings } from '../../dialects/table/scenario-settings.js'
import { ownerOf } from '../../dialects/table/tasks/objects.js'
import { type Awaitable, after } from '../../engine/awaitable.js'
import { Lazy } from '../../engine/lazy.js'
import { OverBudgetError } from '../../engine/memory/budget.js'
import type { ExchangeNote } from '../../engine/requests/answered-request.js'
import { CapacityError } from '../../engine/tasks/capacity.js'
import { beforeStart } from '../../engine/tasks/lifecycle.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import { RecordedRejection } from '../../engine/tasks/recorded-answers.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { overBudget, Problem } from '../../exchange/problem.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { Simulator } from '../../simulator/simulator.js'
import type {
  Draft,
  Order,
  OrderReader,
  ServiceExchange,
  ServiceOperation,
  SummarizedDraft,
} from '../operation.js'
import { recordedAnswer, recordedRejection } from '../recorded-answer.js'
import { draftOf } from './create-body.js'
import { orderReader } from './create-order.js'
import { givenFile } from './given-file.js'
import { taskAfterWait } from './one-task.js'

const MAX_UNKNOWN = 20

/** Creates a task and answers at once; the task continues on the clock. */
export function createTask(create: CreateOperation, endpoint: Endpoint): ServiceOperation {
  const reader = orderReader(create, endpoint)
  const answer = taskAnswer(create, endpoint)
  // An answer that could have waited for the end, but did not, shows the task that was created.
  const answerAtOnce = create.wait === undefined ? answer : taskAnswer({ ...create, states: {} }, endpoint)
  const stream = new Lazy(async () =>
    (await import('./lazy/task-stream.js')).newTaskStream(create.events ?? {}, endpoint),
  )
  const file = givenFile(create, endpoint)
  return {
    id: 'tasks.create',
    authenticated: true,
    owns: ownerOf(endpoint.table),
    reader,
    run(exchange) {
      const draft = draftOf(exchange)
      if (draft.ended !== undefined) exchange.note.ended = shownEnd(draft.ended)
      const order = checkedOrder(draft, reader, exchange.note)
      const { accounts } = exchange.sim.requestPolicy
      const balance = accounts.balance(exchange.key) ?? Infinity
      if (balance <= 0) throw outOfCredits(balance)
      return after(createFrom(order, draft, exchange), (created) => answerTo(order, created, exchange))
    },
  }

  function answerTo(
    { wait, isStream }: Order,
    created: Task | RecordedRejection,
    exchange: ServiceExchange,
  ): Awaitable<Reply> {
    const { sim, note } = exchange
    if (created instanceof RecordedRejection) {
      note.replay = 'recorded'
      return recordedRejection(created, exchange)
    }
    exchange.taskId = created.id
    if (sim.scenario.recorded !== undefined)
      note.replay = created.plan.recorded === undefined ? 'learned' : 'recorded'
    if (isStream) {
      note.isStream = true
      return after(stream.get(), (answerWith) => answerWith(created, exchange))
    }
    if (wait === 0) return answerWith(created, exchange)
    return taskAfterWait(exchange, created, wait).then((task) => answerWith(task, exchange, true))
  }

  function answerWith(task: Task, exchange: ServiceExchange, hasWaited = false): Awaitable<Reply> {
    const { id, status } = task
    exchange.note.observed = [{ id, status: isTerminal(status) ? status : 'processing' }]
    const recorded = task.plan.recorded && recordedAnswer(task, exchange)
    if (recorded !== undefined) return recorded
    if (hasWaited && file?.isFor(task, exchange)) return file.answer(task, exchange)
    const { create_status, hide_queue } = apiSettings(endpoint.table, exchange.sim.scenario)
    if (hasWaited) return answer(task, exchange, create_status)
    let shown = task
    if (hide_queue && status !== 'processing') shown = { ...task, status: 'processing' }
    else if (create.shows === 'queued' && !isTerminal(status)) shown = beforeStart(task)
    return answerAtOnce(shown, exchange, create_status)
  }
}

const NONE: readonly string[] = []

/**
 * Checks what a create request asks for, and notes its unknown fields for the findings.
 * @throws Problem or InputError if the service would reject the request
 */
export function checkedOrder(draft: Draft, reader: OrderReader, note: ExchangeNote): Order {
  const order = reader.order(draft)
  const { knownFields: known } = reader
  if (known === undefined) return order
  const unknown = Object.keys(draft.scope.body).filter((field) => !known.includes(field))
  note.unknownFields = unknown.length === 0 ? NONE : unknown.slice(0, MAX_UNKNOWN)
  if (unknown.length > 0) note.knownFields = known
  return order
}

/** Rejects an order because the API key has used up its credits. @param balance in micro-dollars */
function outOfCredits(balance: number): Problem {
  return new Problem(
    'insufficient_credits',
    `The credits of this API key are used up: ${toDollars(balance).toFixed(2)} USD are left. Use another key, or give it more under \`auth\`.`,
  )
}

/** A webhook fault may delay the result, but not the rejection of an order. */
function createFrom(
  { model, kind, input, options, takesNearest, webhookUrl, extra }: Order,
  { summary }: SummarizedDraft,
  exchange: ServiceExchange,
): Awaitable<Task | RecordedRejection> {
  const { sim, dialect, request, key, directive } = exchange
  try {
    return sim.create({
      owner: key,
      dialect: dialect.name,
      model,
      kind,
      input,
      options,
      takesNearest,
      webhookUrl,
      origin: sim.publicOrigin(request.origin),
      directive,
      follow: undefined,
      extra,
      summary,
      trace: sim.tracing.tracer?.beginTask(exchange),
    })
  } catch (error) {
    if (error instanceof RecordedRejection) return error
    throw problemOf(error, sim)
  }
}

function problemOf(error: unknown, sim: Simulator): unknown {
  if (error instanceof CapacityError) return capacityProblem(error, sim.scenario)
  return error instanceof OverBudgetError ? overBudget(sim.memory) : error
}

function capacityProblem({ message }: CapacityError, { capacity: { overflow } }: Scenario): Problem {
  const seconds = Math.ceil(overflow.retry_after / 1_000)
  const code = overflow.status === 429 ? 'rate_limited' : 'unavailable'
  return new Problem(code, `${message} Try again in ${seconds} s.`, { retryAfter: overflow.retry_after })
}
