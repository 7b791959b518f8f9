import type { Operation } from '../http/operation.js'
import { json } from '../http/reply.js'
import { checkNoFields } from './own-fields.js'

/** Goes back to the state after the start. */
export const resetSimulator: Operation = {
  id: 'sim.reset',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    await checkNoFields(exchange)
    await sim.reset()
    return json(200, {
      seed: sim.seed,
      scenario: sim.scenario.name,
      now: new Date(sim.clock.now()).toISOString(),
    })
  },
}
