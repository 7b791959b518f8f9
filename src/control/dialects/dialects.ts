import { shownEnd } from '../../dialects/table/ended.js'
import { isSigned, sentEvents } from '../../engine/webhooks/webhook-format.js'
import { json } from '../../exchange/exchange.js'
import { shownKey } from '../../http/api-key.js'
import { BODY_ERRORS, controlOperation } from '../operation.js'
import { NewRequest } from '../schema/inputs.js'
import type { DialectShape } from '../shapes.js'

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
    const { composeRequest } = await import('./compose-request.js')
    return json(200, await composeRequest(exchange, body))
  },
})

export const listDialects = controlOperation('sim.dialects.list', {
  tag: 'Dialects',
  summary: 'List the wire formats, with their events and an example of a request',
  responses: { 200: { description: 'All dialects', json: 'DialectList' } },
  async run({ sim, request }) {
    const dialects = await Promise.all(sim.dialects.names.map((name) => sim.dialects.load(name)))
    // Loaded on first use, because only people and tools for them ask for requests.
    const [{ createRequest }, { exampleOrder }] = await Promise.all([
      import('../../dialects/requests/create-request.js'),
      import('../../dialects/requests/example-order.js'),
    ])
    const destination = { origin: request.origin, key: shownKey(sim) }
    const data = dialects.map((dialect): DialectShape => {
      const format = dialect.webhooks(sim.scenario)
      return {
        name: dialect.name,
        events: sentEvents(format).map((event) => ({ event, name: format.nameOf(event) ?? event })),
        signed: isSigned(format),
        urls: { lifetime_ms: sim.outputs.lifetimeOf(dialect.name), renewed: sim.scenario.outputs.renew },
        example: createRequest(dialect, exampleOrder(dialect), destination),
        ...(dialect.table.checked !== undefined && { checked: dialect.table.checked }),
        ended: (dialect.table.ended ?? []).map(({ paths, models, ...end }) => ({
          ...(paths !== undefined && { paths }),
          ...(models !== undefined && { models }),
          ...shownEnd(end),
        })),
      }
    })
    return json(200, { data })
  },
})
