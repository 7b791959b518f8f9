import { EVENT_NAMES } from '../../../core/webhook/event.js'
import { HTTP_URL_FORM, httpUrl } from '../../../core/webhook/http-url.js'
import { readJsonObject } from '../../json-body.js'
import type { Operation } from '../../operation.js'
import { invalid } from '../../problem.js'
import { json } from '../../reply.js'
import { checkTarget } from '../../webhook-target.js'
import { checkFields } from '../own-fields.js'
import { sent } from './deliveries.js'

/** Sends a signed example of an event, without a task; answers with the deliveries. */
export const triggerWebhook: Operation = {
  id: 'sim.webhooks.trigger',
  authenticated: false,
  async run(exchange) {
    const body = await readJsonObject(exchange)
    checkFields(body, ['event', 'url'])
    const { event = 'task.succeeded', url } = body
    const name = EVENT_NAMES.find((known) => known === event)
    if (name === undefined) throw invalid('field', 'event', event, `one of ${EVENT_NAMES.join(', ')}`)
    const target = typeof url === 'string' ? httpUrl(url) : undefined
    if (url !== undefined && target === undefined) throw invalid('field', 'url', url, HTTP_URL_FORM)
    const { sim } = exchange
    if (target !== undefined) checkTarget(sim, 'url', target)
    return json(200, { data: await sent(sim.webhooks.trigger(name, target), sim) })
  },
}
