import type { Dialect } from '../dialects/dialect.js'
import { sentEvents } from '../engine/webhooks/events/sent-events.js'
import { isSigned } from '../engine/webhooks/webhook-format.js'
import { shownKey } from '../http/api-key.js'
import { json } from '../http/exchange/reply.js'
import type { Simulator } from '../simulator.js'
import { controlOperation } from './operation.js'
import type { DialectShape } from './shapes.js'

/** Loaded on first use, because only people and tools for them ask for requests. */
const loadRequests = () =>
  Promise.all([
    import('../dialects/requests/create-request.js'),
    import('../dialects/requests/example-order.js'),
  ])

export const listDialects = controlOperation('sim.dialects.list', {
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
