import type { Operation } from '../operation.js'
import { json } from '../reply.js'

/** Goes back to the state after the start. */
export const resetSimulator: Operation = {
  id: 'sim.reset',
  authenticated: false,
  async run({ sim }) {
    await sim.reset()
    return json(200, {
      seed: sim.seed,
      scenario: sim.scenario.name,
      now: new Date(sim.clock.now()).toISOString(),
    })
  },
}
