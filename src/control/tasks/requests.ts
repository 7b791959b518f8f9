import { maskUrl } from '../../engine/mask.js'
import { json } from '../../exchange/exchange.js'
import { shownKey } from '../../http/api-key.js'
import { withCode } from '../code/with-code.js'
import { controlOperation } from '../operation.js'
import { CodeQuery } from '../schema/inputs.js'
import { TASK_ID, taskOf } from './task-shape.js'

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
