/**
 * Sends very many generated requests: `npm run test:fuzz`. Use `npm run test:fuzz -- <count> <seed>` to reproduce a
 * run.
 */
import type { Simulator } from '../../src/index.js'
import type { Check } from '../support/check.js'
import { harness, runChecks } from '../support/runner.js'
import { create } from '../support/simulations.js'
import { socketStorm } from './socket-storm.js'
import { type StormResult, storm, stormySimulator } from './storm.js'

/** The first requests load code, whose memory is not a leak. */
const WARM_UP = 10_000
const MOST_GROWTH = 8 * 1024 * 1024
/** In milliseconds: so much for each of very many requests. */
const LONGEST = 24 * 3_600_000

await harness('test:fuzz', LONGEST, async ([count = '100000', seed = String(Date.now() % 1_000_000_000)]) =>
  runChecks(checks(Number(count), Number(seed)), { longest: LONGEST }),
)

function checks(count: number, seed: number): Check[] {
  const sim = stormySimulator()
  return [
    {
      title: `${WARM_UP} requests to warm up are answered as they should be, seed ${seed}`,
      async run(figure) {
        await loadAll(sim)
        expectNoFailure(await storm(WARM_UP, seed, sim), figure)
      },
    },
    {
      title: `${count} requests in process are answered as they should be, and leave no memory, seed ${seed}`,
      async run(figure) {
        const before = await heap()
        expectNoFailure(await storm(count, seed + WARM_UP, sim), figure)
        const growth = (await heap()) - before
        sim.close()
        const text = `${(growth / 1024 / 1024).toFixed(2)} MiB more than before`
        figure(text)
        if (globalThis.gc !== undefined && growth > MOST_GROWTH) throw new Error(text)
      },
    },
    {
      title: `3000 requests over sockets are answered as they should be, seed ${seed}`,
      run: async (figure) => expectNoFailure(await socketStorm(3_000, seed), figure),
    },
  ]
}

async function heap(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed
}

function expectNoFailure({ statuses, failures }: StormResult, figure: (text: string) => void): void {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, number]) => `${status}: ${number}`)
  figure(counts.join('  '))
  if (failures.length > 0) throw new Error(failures.slice(0, 10).join('\n'))
}

/** Finishes one task of each kind, to load the tokenizer and other modules. */
async function loadAll(sim: Simulator): Promise<void> {
  const messages = [{ role: 'user', content: 'hello' }]
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  for (const input of [{ messages }, { messages, tools, tool_choice: 'required', reasoning_effort: 'low' }]) {
    const { id } = await create(sim, { model: 'acme/composer-2.5', input })
    await sim.tasks.finish(id, { outcome: 'succeeded', error: undefined })
  }
}
