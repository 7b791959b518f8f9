/**
 * Sends very many generated requests: `npm run test:fuzz`. Use `npm run test:fuzz -- <count> <seed>` to reproduce a
 * run.
 */
import type { Simulator } from '../../src/index.js'
import { create } from '../support/simulations.js'
import { socketStorm } from './socket-storm.js'
import { type StormResult, storm, stormySimulator } from './storm.js'

const COUNT = Number(process.argv[2] ?? 100_000)
const SEED = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
/** The first requests load code, whose memory is not a leak. */
const WARM_UP = 10_000
const MOST_GROWTH = 8 * 1024 * 1024

async function heap(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed
}

function report(title: string, { statuses, failures }: StormResult, since: number): void {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, number]) => `${status}: ${number}`)
  const seconds = ((performance.now() - since) / 1_000).toFixed(1)
  process.stdout.write(`${title}, seed ${SEED}, ${seconds} s\n  ${counts.join('  ')}\n`)
  for (const failure of failures.slice(0, 10)) process.stdout.write(`  FAILED: ${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
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

let begin = performance.now()
const sim = stormySimulator()
await loadAll(sim)
report(`${WARM_UP} requests to warm up`, await storm(WARM_UP, SEED, sim), begin)
const before = await heap()
begin = performance.now()
report(`${COUNT} requests in process`, await storm(COUNT, SEED + WARM_UP, sim), begin)
const growth = (await heap()) - before
sim.close()
process.stdout.write(`  memory: ${(growth / 1024 / 1024).toFixed(2)} MiB more than before\n`)
if (globalThis.gc !== undefined && growth > MOST_GROWTH) process.exitCode = 1
begin = performance.now()
report('3000 requests over sockets', await socketStorm(3_000, SEED), begin)
