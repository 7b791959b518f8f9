import { json } from '../http/exchange/reply.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { NewRequest } from './schema/bodies.js'

export const writeRequest = controlOperation('sim.requests.write', {
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
