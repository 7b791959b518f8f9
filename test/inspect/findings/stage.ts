import { getResponse } from 'msw'
import { handlers } from '../../../src/hosts/msw/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../src/index.js'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import type { Habits } from '../../support/habits.js'
import { RobustClient, type Surroundings } from '../../support/robust-client.js'
import { WebhookApp } from '../../support/webhook-app.js'

/** Renders nothing, which would take real time. */
const renderer = { render: async () => new Uint8Array(10_000) }

/** The webhook URL of the apps under test. */
export const HOOK = 'http://localhost:3000/hooks'

export type Stage = ReturnType<typeof stage>

/** Creates a simulator on a manual clock, and clients that use the same clock. */
export function stage(options: SimulatorOptions = {}, habits: Partial<Habits> = {}) {
  const sim = createSimulator({ clock: 'manual', renderer, ...options })
  const around = surroundings(sim)
  const client = new RobustClient(around, habits)
  const app = new WebhookApp(client, around)
  return { sim, around, client, app, live: <Value>(work: Promise<Value>) => advanceUntilDone(sim, work) }
}

/** Returns the environment of a client under test: the API through MSW, and time. */
function surroundings(sim: Simulator): Surroundings {
  const own = handlers(sim)
  return {
    sleep: (milliseconds) => sim.pause(milliseconds),
    now: () => sim.clock.now(),
    async send(path, init) {
      const response = await getResponse(own, new Request(`https://api.example.com${path}`, init))
      if (response === undefined) throw new Error(`No handler answers ${path}`)
      return response
    },
  }
}

/** Returns the ids of the findings, as if the client would send nothing more. */
export async function found(sim: Simulator): Promise<string[]> {
  return (await sim.verdict({ final: true })).findings.map(({ id }) => id)
}
