import { getResponse } from 'msw'
import { Mirror } from '../../../src/cli/record/mirror/mirror.js'
import { handlers } from '../../../src/hosts/msw/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../src/index.js'
import type { PassedExchange } from '../../../src/record/recording/passed-exchange.js'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import type { Habits } from '../../support/habits.js'
import { passed } from '../../support/pass-through.js'
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
  const exchanges: PassedExchange[] = []
  const around = surroundings(sim, exchanges)
  const client = new RobustClient(around, habits)
  const app = new WebhookApp(client, around)
  return {
    sim,
    around,
    client,
    app,
    exchanges,
    live: <Value>(work: Promise<Value>) => advanceUntilDone(sim, work),
  }
}

/** Returns the environment of a client under test: the API through MSW, and time. */
function surroundings(sim: Simulator, exchanges: PassedExchange[]): Surroundings {
  const own = handlers(sim)
  return {
    sleep: (milliseconds) => sim.time.pause(milliseconds),
    now: () => sim.clock.now(),
    async send(path, init) {
      const request = new Request(`https://api.example.com${path}`, init)
      const at = sim.clock.now()
      const response = await getResponse(own, request.clone())
      if (response === undefined) throw new Error(`No handler answers ${path}`)
      // Time passes on any network, so two requests of one millisecond are not in doubt.
      const [begin, took] = [at + exchanges.length / 1_000, sim.clock.now() - at]
      exchanges.push(await passed(request, response.clone(), { at: begin, took }))
      return response
    },
  }
}

/** Returns the ids of the findings, as if the client would send nothing more. */
export async function found(sim: Simulator): Promise<string[]> {
  return (await sim.verdict({ final: true })).findings.map(({ id }) => id)
}

/** Returns the ids of the findings of `tasksim record`, as if it had been between the client and the service. In the
 * end, it polls all tasks itself. */
export async function foundByProxy({ sim, around, exchanges }: Stage): Promise<string[]> {
  const mirror = await Mirror.open({
    dialect: 'tasks',
    upstream: 'https://api.example.com',
    file: 'recording.jsonl',
    seesWebhooks: false,
  })
  for (const exchange of exchanges.splice(0)) mirror.exchange(exchange)
  const page = await sim.tasks.list({ limit: 100 })
  for (const { id, owner } of page?.tasks ?? [])
    await around.send(`/api/v1/tasks/${id}`, { headers: { authorization: `Bearer ${owner}` } })
  for (const exchange of exchanges) mirror.exchange({ ...exchange, isOwn: true })
  await mirror.settled()
  return found(mirror.sim)
}
