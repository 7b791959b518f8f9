import * as v from 'valibot'
import { excerptOf } from '../../engine/json.js'
import { mask, maskUrl } from '../../engine/mask.js'
import { DEFAULT_TASK_ERROR, type Task } from '../../engine/tasks/task.js'
import { json, type Reply } from '../../exchange/exchange.js'
import { pageReply } from '../../exchange/pages.js'
import { evictionHint, invalid, Problem } from '../../exchange/problem.js'
import { shownKey } from '../../http/api-key.js'
import { fileReply } from '../../http/files/give-file.js'
import type { Exchange } from '../../http/operation.js'
import { withCode } from '../code/with-code.js'
import { BODY_ERRORS, controlOperation } from '../operation.js'
import { CodeQuery, TaskEnding, TaskQuery } from '../schema/inputs.js'
import { DEFAULT_LIMIT, optional, truth } from '../schema/parts.js'
import { briefShape, TASK_ID, taskOf, taskShape } from './task-shape.js'

const FILE = { type: '*/*', schema: { type: 'string', format: 'binary' } }
const TASK = { 200: { description: 'The task', json: 'Task' } }

export const listTasks = controlOperation('sim.tasks.list', {
  tag: 'Tasks',
  summary: 'List the tasks of all API keys',
  query: v.strictObject({
    ...TaskQuery.entries,
    brief: optional(truth, '`true`: tasks without input and output'),
  }),
  responses: { 200: { description: 'A page of tasks', json: 'TaskPage' } },
  errors: ['invalid_request'],
  async run({ sim, request }, { query }) {
    const { status, model, dialect, after, limit = DEFAULT_LIMIT, brief } = query
    const page = sim.tasks.list({ status, model, dialect, after, limit, matches: matcher(query) })
    if (page === undefined)
      throw invalid(
        'query parameter',
        'after',
        after,
        'the `next_cursor` of a page that you got',
        evictionHint(sim.tasks),
      )
    const shapeOf = (task: Task) =>
      brief ? briefShape(task, sim.tasks.isHeld(task.id)) : taskShape(task, sim, request.origin)
    const { reply } = await pageReply({
      items: page.tasks,
      hasMore: page.hasMore,
      textOf: (task) => JSON.stringify(shapeOf(task)),
      cursorOf: ({ id }) => id,
    })
    return reply
  },
})

/** Only this many characters of an input are searched. */
const MAX_SEARCHED = 10_000

function matcher(query: v.InferOutput<typeof TaskQuery>): ((task: Task) => boolean) | undefined {
  const { kind, key } = query
  const text = query.text?.toLowerCase()
  if (kind === undefined && key === undefined && !text) return undefined
  return (task) => {
    if (kind !== undefined && task.kind !== kind) return false
    if (key !== undefined && task.owner !== key && mask(task.owner) !== key) return false
    return !text || searchableText(task).includes(text)
  }
}

function searchableText({ id, model, input, error }: Task): string {
  return `${id} ${model} ${excerptOf(input, MAX_SEARCHED)} ${error?.code ?? ''}`.toLowerCase()
}

export const readTask = controlOperation('sim.tasks.read', {
  tag: 'Tasks',
  summary: 'Read a task and its plan',
  params: TASK_ID,
  responses: TASK,
  errors: ['task_not_found'],
  run: (exchange) => taskReply(exchange, taskOf(exchange)),
})

export const readTaskFile = controlOperation('sim.tasks.file', {
  tag: 'Tasks',
  summary: 'Download an output file',
  description:
    'Requires no signed URL. The journal does not record the download, so it does not count as one by the client under test.',
  params: { ...TASK_ID, file: 'The index of the file in the output, from 0' },
  responses: {
    200: { description: 'The file', content: FILE },
    206: { description: 'The requested range', content: FILE },
    304: { description: 'The cached copy is still valid' },
  },
  errors: ['not_found', 'range_not_satisfiable'],
  async run(exchange) {
    const { sim, request, params } = exchange
    const [id = '', index = ''] = params
    const task = sim.tasks.get(id)
    const file = Number(index)
    const isRetained =
      task !== undefined && sim.outputs.of(task, request.origin, sim.clock.now()) !== undefined
    if (isRetained && file < (task.result?.files ?? 0)) return fileReply(exchange, task, file)
    throw new Problem('not_found', 'The file does not exist, or its retention has ended.')
  },
})

export const finishTask = controlOperation('sim.tasks.finish', {
  tag: 'Tasks',
  summary: 'End a task now',
  description: 'Ends the task as planned, or with the given status.',
  params: TASK_ID,
  body: {
    optional: true,
    schema: TaskEnding,
    examples: {
      'as planned': {},
      'as a failure': { status: 'failed', error: { code: 'content_policy', message: 'No.' } },
    },
  },
  responses: TASK,
  errors: [...BODY_ERRORS, 'task_not_found', 'conflict'],
  async run(exchange, { body }) {
    const { id, status } = taskOf(exchange)
    const ended = await exchange.sim.tasks.finish(id, outcomeOf(body))
    if (ended === undefined) throw hasEnded(id, status)
    return taskReply(exchange, ended)
  },
})

function outcomeOf({ status, error }: v.InferOutput<typeof TaskEnding>) {
  if (error !== undefined && status !== 'failed')
    throw invalid('field', 'error', error, 'omitted unless `status` is failed')
  if (status === undefined) return undefined
  const { code, message = DEFAULT_TASK_ERROR.message } = error ?? {}
  return { outcome: status, error: code === undefined ? undefined : { code, message } }
}

export const holdTask = controlOperation('sim.tasks.hold', {
  tag: 'Tasks',
  summary: 'Hold a task, so that it does not end by itself',
  params: TASK_ID,
  responses: TASK,
  errors: [...BODY_ERRORS, 'task_not_found', 'conflict'],
  async run(exchange) {
    const task = taskOf(exchange)
    const { sim } = exchange
    if (!sim.tasks.hold(task.id)) throw hasEnded(task.id, task.status)
    sim.events.emit('control.used', 'hold', sim.clock.now(), task.id)
    return taskReply(exchange, task)
  },
})

export const releaseTask = controlOperation('sim.tasks.release', {
  tag: 'Tasks',
  summary: 'Release a held task',
  params: TASK_ID,
  responses: TASK,
  errors: [...BODY_ERRORS, 'task_not_found', 'conflict'],
  async run(exchange) {
    const task = taskOf(exchange)
    const { sim } = exchange
    if (!sim.tasks.release(task.id)) throw new Problem('conflict', `Task ${task.id} is not held.`)
    sim.events.emit('control.used', 'release', sim.clock.now(), task.id)
    // A task whose end is overdue ends before the response.
    await sim.time.schedule.catchUp()
    return taskReply(exchange, sim.tasks.get(task.id) ?? task)
  },
})

function taskReply({ sim, request }: Exchange, task: Task): Reply {
  return json(200, taskShape(task, sim, request.origin))
}

function hasEnded(id: string, status: string): Problem {
  return new Problem('conflict', `Task ${id} has already ${status}.`)
}

export const readAnswer = controlOperation('sim.tasks.answer', {
  tag: 'Tasks',
  summary: 'Read the answer that a poll of the task would get now',
  description:
    'The answer is in the format of the service. It does not count as a poll: it ends no task, no fault or rate limit applies to it, and it is in no journal.',
  params: TASK_ID,
  responses: { 200: { description: 'The answer', json: 'ServiceAnswer' } },
  errors: ['task_not_found', 'not_found'],
  async run(exchange) {
    const task = taskOf(exchange)
    const { answerNow } = await import('./answer-now.js')
    return json(200, await answerNow(task, exchange))
  },
})

export const readRequest = controlOperation('sim.tasks.request', {
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
    const { createRequest } = await import('../../dialects/requests/create-request.js')
    const dialect = await sim.dialects.load(task.dialect)
    const wanted = { ...task, webhookUrl: task.webhookUrl && maskUrl(task.webhookUrl) }
    // In process, the request has no origin.
    const destination = { origin: request.origin || task.origin, key: shownKey(sim) }
    return json(200, await withCode(createRequest(dialect, wanted, destination), dialect, query.code))
  },
})
