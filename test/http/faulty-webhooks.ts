import type { Delivery, ScenarioInput, Simulator } from '../../src/index.js'
import { type Answer, type Client, read } from './hosts.js'

type Webhooks = NonNullable<ScenarioInput['webhooks']>
type Rule = NonNullable<Webhooks['faults']>[number]

/** A webhook fault in the form of a scenario. */
export type Then = Rule['then']

/** A request fault in the form of a scenario. */
export type Fault = NonNullable<ScenarioInput['faults']>[number]['then']

/** Returns a scenario whose tasks succeed after a second, with webhook faults. */
export const withWebhookFaults = (...faults: Rule[]): ScenarioInput => ({
  defaults: { delay: '1s' },
  webhooks: { faults },
})

/** Returns a scenario with the same fault in every webhook. */
export const always = (then: Then): ScenarioInput => withWebhookFaults({ then })

/** Returns all deliveries, oldest first. */
export const deliveriesOf = (sim: Simulator): Delivery[] =>
  [...(sim.webhooks.log.list({ limit: 1_000 })?.deliveries ?? [])].reverse()

/** Creates a task with a directive in its X-Sim header. */
export async function orderWith({ send }: Client, directive: string, body: object): Promise<Answer> {
  const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
  return read(
    await send('/api/v1/tasks', {
      method: 'POST',
      headers: { ...headers, 'x-sim': directive },
      body: JSON.stringify(body),
    }),
  )
}
