/** Simulates hours in minutes on a server with all faults. `npm run test:soak -- --minutes 10 --rate 0.5`. */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { steadily } from '../bench/lateness/paced.js'
import { table } from '../bench/report.js'
import type { Tally } from '../bench/webhooks/receiver.js'
import { Worker } from '../bench/worker.js'
import { harness } from '../support/runner.js'
import { requireDistribution, Server } from '../support/server.js'
import { audit } from './audit.js'
import { Census } from './census.js'
import { Clients, REQUESTS_PER_LIFE } from './clients.js'
import { figuresOf } from './figures.js'
import { highestRate } from './highest-rate.js'
import { controlOf, settle } from './settle.js'
import { watch } from './watch.js'

const SCENARIO = fileURLToPath(new URL('scenario.yaml', import.meta.url))
const EVERY = 10_000
const CENSUS_EVERY = 2_000
/** Small enough to be reached early. From then on, memory must stay constant. */
const KEEP = 10_000
/** The time beyond the soak itself: start, highest rate, settling and counting. */
const MARGIN = 240_000

interface Terms {
  readonly minutes: number
  /** The share of the highest rate. */
  readonly rate: number
}

async function soak({ minutes, rate }: Terms): Promise<void> {
  const receiver = new Worker(new URL('../bench/webhooks/receiver.ts', import.meta.url), ['0.02'])
  const hook = await receiver.ask<string>('url')
  const server = await Server.start([SCENARIO, '--webhook', hook, '--keep-tasks', String(KEEP)])
  const control = await controlOf(server.port)
  const clients = new Clients(server.port)
  const census = new Census(control)
  const end = new AbortController()
  const counting = census.follow(CENSUS_EVERY, end.signal)
  const most = await highestRate(server.port, control, clients)
  const perSecond = most * rate
  process.stderr.write(`${most.toFixed(0)} requests/s at the most; ${perSecond.toFixed(0)} from now on\n`)
  const watching = watch(server, clients, Math.min(EVERY, minutes * 6_000), end.signal)
  const span = minutes * 60_000
  await steadily(perSecond / REQUESTS_PER_LIFE, span, (number) => clients.live(number))
  end.abort()
  const [samples] = await Promise.all([watching, counting])
  await settle(control)
  const { counts, wrong } = await audit(
    { port: server.port, control, clients, census, receiver: await receiver.ask<Tally>('tally') },
    KEEP,
  )
  clients.close()
  await Promise.all([server.kill(), receiver.end()])
  process.stdout.write(`\n${table(figuresOf(samples, clients, minutes))}\n`)
  for (const [what, count] of Object.entries(counts)) process.stdout.write(`${what}: ${count}\n`)
  for (const what of wrong) process.stdout.write(`LOST: ${what}\n`)
  if (wrong.length > 0) process.exitCode = 1
}

function terms(): Terms {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '0.5' } },
  })
  const [minutes, rate] = [Number(values.minutes), Number(values.rate)]
  if (minutes > 0 && rate > 0) return { minutes, rate }
  throw new Error('Expected --minutes and --rate to be more than 0.')
}

requireDistribution()
const options = terms()
await harness('test:soak', options.minutes * 60_000 + MARGIN, async () => {
  await soak(options)
  return undefined
})
