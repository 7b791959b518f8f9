import type { Dialect } from '../dialects/dialect.js'
import { UsageError } from '../engine/errors.js'
import { OverBudgetError } from '../engine/memory/over-budget-error.js'
import { sentEvents } from '../engine/webhooks/events/sent-events.js'
import { maskUrl } from '../engine/webhooks/receivers/mask-url.js'
import { isSigned } from '../engine/webhooks/webhook-format.js'
import { overBudget, Problem } from '../exchange/problem.js'
import { json } from '../exchange/reply.js'
import { shownKey } from '../http/api-key.js'
import type { Exchange } from '../http/operation.js'
import type { Simulator } from '../simulator/simulator.js'
import { changeClock, readClock } from './clock.js'
import { withCode } from './code/with-code.js'
import { listDeliveries, readDelivery, redeliver, triggerWebhook } from './deliveries.js'
import { addObservation, readFindings } from './findings.js'
import { readJournal, streamJournal } from './journal/journal.js'
import { exportHar, exportRequests, readAnsweredRequest, repeatRequest } from './journal/requests.js'
import { readMetrics } from './metrics.js'
import { BODY_ERRORS, type ControlOperation, controlOperation } from './operation.js'
import { readOverview } from './overview/overview.js'
import type { ControlId } from './paths.js'
import { createSandbox, deleteSandbox, listSandboxes, readSandbox } from './sandboxes.js'
import {
  patchScenario,
  readGivenScenario,
  readScenario,
  readShippedScenario,
  replaceScenario,
} from './scenario.js'
import { CodeQuery, NewReceiver, NewRequest, PreviewOptions } from './schema/inputs.js'
import type { DialectShape, PreviewShape } from './shapes.js'
import { exportState, importState, readHealth, readReadiness, readState, resetSimulator } from './state.js'
import { TASK_ID, taskOf } from './tasks/task-shape.js'
import { finishTask, holdTask, listTasks, readTask, readTaskFile, releaseTask } from './tasks/tasks.js'
import { readUpcoming } from './upcoming.js'
import { checkUrl } from './webhooks/check-url.js'
import { receiverShape } from './webhooks/receiver-shape.js'
import { testOfFinding, testOfRequest, testOfTask } from './written-tests/written-tests.js'

const writeRequest = controlOperation('sim.requests.write', {
  tag: 'Dialects',
  summary: 'Write a request that creates a task',
  description:
    'Writes the request in the wire format of a dialect, and as code. Sends nothing, and changes nothing. Fields that you leave out have defaults, which the response contains.',
  body: {
    schema: NewRequest,
    optional: true,
    examples: {
      'a video of Luma': { dialect: 'luma', kind: 'video', prompt: 'a lighthouse at dawn' },
      'a task that fails': { directives: { outcome: 'failed', error: 'content_policy', after: '2s' } },
      'a task again': { task: 'task_82wsE0eJdLYSLPR9BIkYOFzx' },
    },
  },
  responses: { 200: { description: 'The request, and what the service offers', json: 'WrittenRequest' } },
  errors: [...BODY_ERRORS, 'task_not_found'],
  async run(exchange, { body }) {
    const { composeRequest } = await import('./written-requests/compose-request.js')
    return json(200, await composeRequest(exchange, body))
  },
})

/** Loaded on first use, because only people and tools for them ask for requests. */
const loadRequests = () =>
  Promise.all([
    import('../dialects/requests/create-request.js'),
    import('../dialects/requests/example-order.js'),
  ])

const listDialects = controlOperation('sim.dialects.list', {
  tag: 'Dialects',
  summary: 'List the wire formats, with their events and an example of a request',
  responses: { 200: { description: 'All dialects', json: 'DialectList' } },
  async run({ sim, request }) {
    const dialects = await Promise.all(sim.dialects.names.map((name) => sim.dialects.load(name)))
    const data = await Promise.all(dialects.map((dialect) => dialectShape(dialect, sim, request.origin)))
    return json(200, { data })
  },
})

async function dialectShape(dialect: Dialect, sim: Simulator, origin: string): Promise<DialectShape> {
  const [{ createRequest }, { exampleOrder }] = await loadRequests()
  const format = dialect.webhooks(sim.scenario)
  return {
    name: dialect.name,
    events: sentEvents(format).map((event) => ({ event, name: format.nameOf(event) ?? event })),
    signed: isSigned(format),
    example: createRequest(dialect, exampleOrder(dialect), { origin, key: shownKey(sim) }),
  }
}

const readAnswer = controlOperation('sim.tasks.answer', {
  tag: 'Tasks',
  summary: 'Read the answer that a poll of the task would get now',
  description:
    'The answer is in the format of the service. It does not count as a poll: it ends no task, no fault or rate limit applies to it, and it is in no journal.',
  params: TASK_ID,
  responses: { 200: { description: 'The answer', json: 'ServiceAnswer' } },
  errors: ['task_not_found', 'not_found'],
  async run(exchange) {
    const task = taskOf(exchange)
    const { answerNow } = await import('./tasks/answer-now.js')
    return json(200, await answerNow(task, exchange))
  },
})

const readRequest = controlOperation('sim.tasks.request', {
  tag: 'Tasks',
  summary: 'Read a request that creates an identical task',
  description:
    'The request has the current input, as the service would receive it. Secrets in the webhook URL are masked.',
  params: TASK_ID,
  query: CodeQuery,
  responses: { 200: { description: 'The request', json: 'ServiceRequest' } },
  errors: ['invalid_request', 'task_not_found'],
  async run(exchange, { query }) {
    const task = taskOf(exchange)
    const { sim, request } = exchange
    const { createRequest } = await import('../dialects/requests/create-request.js')
    const dialect = await sim.dialects.load(task.dialect)
    const wanted = { ...task, webhookUrl: task.webhookUrl && maskUrl(task.webhookUrl) }
    // In process, the request has no origin.
    const destination = { origin: request.origin || task.origin, key: shownKey(sim) }
    return json(200, await withCode(createRequest(dialect, wanted, destination), dialect, query))
  },
})

const DEFAULT_TASKS = 300

/** A scenario may list hundreds of models; a request can name any one of them. */
const MAX_MODELS = 12
const MILLISECONDS_BETWEEN_TASKS = 1_000

const previewScenario = controlOperation('sim.preview', {
  tag: 'Scenario',
  summary: 'Preview a scenario',
  description:
    'Sends create requests to a separate simulator, so the active one does not change. Previews the active scenario by default.',
  body: {
    schema: PreviewOptions,
    examples: { 'the active scenario': {}, 'a shipped scenario': { name: 'flaky' } },
  },
  responses: { 200: { description: 'The results by model', json: 'PreviewList' } },
  errors: [...BODY_ERRORS, 'invalid_scenario'],
  async run(exchange, { body }) {
    const { sim } = exchange
    const { model, tasks = DEFAULT_TASKS, ...choice } = body
    const isChosen = Object.keys(choice).length > 0
    const scenario = isChosen ? await readGivenScenario(choice, sim) : sim.scenario
    const [{ takeSample }, { modelsOf, notSampled }, { previewShape }] = await Promise.all([
      import('./preview/sample.js'),
      import('./preview/coverage.js'),
      import('./preview/preview-shape.js'),
    ])
    const { seed, memory, dialects } = sim
    const { signal } = exchange.request
    const options = { tasks, every: MILLISECONDS_BETWEEN_TASKS, seed, memory, dialects, signal }
    const data: PreviewShape[] = []
    for (const each of model === undefined ? modelsOf(scenario).slice(0, MAX_MODELS) : [model]) {
      const sample = takeSample(scenario, { ...options, model: each }).catch((error: unknown) => {
        throw problemOf(error, exchange)
      })
      data.push(previewShape(await sample, notSampled(scenario)))
    }
    return json(200, { data })
  },
})

function problemOf(error: unknown, { sim, request }: Exchange): unknown {
  if (error instanceof OverBudgetError) return overBudget(sim.memory)
  if (request.signal?.aborted)
    return new Problem('invalid_request', 'The connection was closed before the preview ended.')
  return error
}

const listReceivers = controlOperation('sim.receivers.list', {
  tag: 'Webhooks',
  summary: 'List the receivers of the webhooks of all tasks',
  responses: { 200: { description: 'All receivers', json: 'ReceiverList' } },
  run: ({ sim }) => json(200, { data: sim.webhooks.receivers.list().map(receiverShape) }),
})

const addReceiver = controlOperation('sim.receivers.add', {
  tag: 'Webhooks',
  summary: 'Register a receiver',
  body: {
    validate: false,
    schema: NewReceiver,
    examples: { 'failures only': { url: 'http://localhost:3000/webhooks', events: ['task.failed'] } },
  },
  responses: { 201: { description: 'The receiver', json: 'Receiver' } },
  errors: [...BODY_ERRORS, 'conflict'],
  async run({ sim }, { body }) {
    // A receiver in a scenario has the same settings, so the same schema checks both.
    const { readReceiver } = await import('../scenario/build-scenario.js')
    const result = readReceiver(body)
    if ('flaw' in result) {
      const { path, message } = result.flaw
      throw new Problem('invalid_request', `The field \`${path}\`: ${message}.`, { param: path })
    }
    const { receiver } = result
    checkUrl(receiver.url, sim)
    try {
      return json(201, receiverShape(sim.webhooks.receivers.add(receiver)))
    } catch (error) {
      throw error instanceof UsageError ? new Problem('conflict', `${error.message}.`) : error
    }
  },
})

const removeReceiver = controlOperation('sim.receivers.remove', {
  tag: 'Webhooks',
  summary: 'Remove a receiver',
  description: 'Pending deliveries to it continue.',
  params: { id: 'The id of the receiver' },
  responses: { 200: { description: 'The removed receiver', json: 'Receiver' } },
  errors: ['not_found'],
  run({ sim, params: [id = ''] }) {
    const removed = sim.webhooks.receivers.remove(id)
    if (removed === undefined) throw new Problem('not_found', `There is no receiver ${id.slice(0, 100)}.`)
    return json(200, receiverShape(removed))
  },
})

const OPERATIONS = [
  ...[readHealth, readReadiness, readState, exportState, importState, resetSimulator],
  ...[readClock, changeClock, readUpcoming],
  ...[readScenario, readShippedScenario, previewScenario, replaceScenario, patchScenario],
  ...[listTasks, readTask, readTaskFile, finishTask, holdTask, releaseTask],
  ...[readAnswer, readRequest, listDialects, writeRequest],
  ...[testOfTask, testOfRequest, testOfFinding],
  ...[listReceivers, addReceiver, removeReceiver],
  ...[listDeliveries, readDelivery, redeliver, triggerWebhook],
  ...[readJournal, exportHar, exportRequests, readAnsweredRequest, repeatRequest, streamJournal],
  ...[readFindings, addObservation, readMetrics, readOverview],
  ...[listSandboxes, createSandbox, readSandbox, deleteSandbox],
]

/** Every operation of the control API. */
export const CONTROL_OPERATIONS: ReadonlyMap<ControlId, ControlOperation> = new Map(
  OPERATIONS.map((operation) => [operation.id, operation]),
)
