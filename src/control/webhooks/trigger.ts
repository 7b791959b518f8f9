import type { JsonValue } from '../../engine/json.js'
import { EVENT_NAMES } from '../../engine/webhooks/event.js'
import { HTTP_URL_FORM, httpUrl } from '../../engine/webhooks/http-url.js'
import { readJsonObject } from '../../http/json-body.js'
import type { Operation } from '../../http/operation.js'
import { invalid, Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import { checkTarget } from '../../http/webhook-target.js'
import type { Simulator } from '../../simulator.js'
import { checkFields } from '../own-fields.js'
import { sent } from './deliveries.js'
import { checkNotMasked } from './not-masked.js'

/** Sends a signed example of an event, without a task; answers with the deliveries. */
export const triggerWebhook: Operation = {
  id: 'sim.webhooks.trigger',
  authenticated: false,
  async run(exchange) {
    const body = await readJsonObject(exchange)
    checkFields(body, ['event', 'url', 'receiver'])
    const { event = 'task.succeeded', url, receiver } = body
    const name = EVENT_NAMES.find((known) => known === event)
    if (name === undefined) throw invalid('field', 'event', event, `one of ${EVENT_NAMES.join(', ')}`)
    const { sim } = exchange
    if (url !== undefined && receiver !== undefined)
      throw new Problem('invalid_request', 'Give `url` or `receiver`, not both.', { param: 'receiver' })
    const target = receiver === undefined ? urlIn(url, sim) : urlOf(receiver, sim)
    return json(200, { data: await sent(sim.webhooks.trigger(name, target), sim) })
  },
}

function urlIn(url: JsonValue | undefined, sim: Simulator): string | undefined {
  if (url === undefined) return undefined
  const target = typeof url === 'string' ? httpUrl(url) : undefined
  if (target === undefined) throw invalid('field', 'url', url, HTTP_URL_FORM)
  checkNotMasked('url', target)
  checkTarget(sim, 'url', target)
  return target
}

/** The URL of a registered receiver, which gets the webhooks of every task anyway. */
function urlOf(id: JsonValue, sim: Simulator): string {
  const known = sim.webhooks.receivers.list().find((receiver) => receiver.id === id)
  if (known !== undefined) return known.url
  throw invalid('field', 'receiver', id, 'the id of a receiver that GET /_sim/receivers lists')
}
