import { Server } from '../../support/server.js'
import { type Figure, figureOf, median, type Target, type Unit } from '../figure.js'
import { Worker } from '../worker.js'
import { kinds } from './kinds.js'
import { type Load, load, type Served } from './load.js'
import { type Sample, sampleOf, sizesOf } from './sample.js'

const ROUNDS = 11
const ROUND = 1_500
const WARM_UP = 2_000

/** The time in which the tasks of a round end after it. They must not end while another server is measured. */
const AFTERMATH = 350

/** The most that a request to tasksim may cost, in requests to the bare server. */
const MOST = 1.6

/** A server of the comparison, with one measurement for each round. */
interface Candidate extends Served {
  /** The wait after a round, in milliseconds. */
  readonly rest: number
  readonly rounds: Load[]
}

/**
 * Measures the CPU time per request of the real server, of a bare one on `node:http`, and of a stub as people write it
 * with Express, in two scenarios: tasks that end at once, and tasks that end on a timer. In the second one an image takes
 * 2 s. At ten times the speed nearly all tasks of a round end within it, so that the round includes the cost of their
 * ends. Also measures every dialect and kind.
 */
export async function http(): Promise<Figure[]> {
  return [...(await compare('instant')), ...(await compare('default', '--speed', '10')), ...(await kinds())]
}

async function compare(scenario: string, ...options: string[]): Promise<Figure[]> {
  const server = await Server.start([scenario, ...options])
  const workers: Worker[] = []
  try {
    const sample = await sampleOf(server.port)
    const start = async (file: URL): Promise<Candidate> => {
      const worker = new Worker(file, [JSON.stringify(sample)])
      workers.push(worker)
      return { port: await worker.ask<number>('port'), pid: worker.pid, rest: 0, rounds: [] }
    }
    const tasksim = { port: server.port, pid: server.pid, rest: AFTERMATH, rounds: [] }
    const bare = await start(new URL('bare-server.ts', import.meta.url))
    const express = await start(new URL('express-stub.ts', import.meta.url))
    await requireSameSize(bare.port, sample)
    await measure([tasksim, bare, express])
    return figures(`http ${scenario}`, tasksim.rounds, bare.rounds, express.rounds)
  } finally {
    for (const worker of workers) await worker.end()
    await server.kill()
  }
}

/** Measures the servers in turn. The order changes from round to round, so that a machine that slows down affects all. */
async function measure(candidates: readonly Candidate[]): Promise<void> {
  for (const each of candidates) await load(each, WARM_UP, each.rest)
  for (let round = 0; round < ROUNDS; round++)
    for (const each of round % 2 === 0 ? candidates : candidates.toReversed())
      each.rounds.push(await load(each, ROUND, each.rest))
}

async function requireSameSize(port: number, sample: Sample): Promise<void> {
  if (sizesOf(await sampleOf(port)) === sizesOf(sample)) return
  throw new Error(
    'The bare server answers with another number of bytes than tasksim, so they do not compare.',
  )
}

function figures(
  name: string,
  tasksim: readonly Load[],
  bare: readonly Load[],
  express: readonly Load[],
): Figure[] {
  const cpu = (rounds: readonly Load[]) => rounds.map(({ cpu }) => cpu)
  const ratio = (what: string, pick: (values: readonly number[]) => number, target?: Target): Figure => ({
    name: `${name}: CPU per request, ${what}, tasksim / bare`,
    value: pick(cpu(tasksim)) / pick(cpu(bare)),
    unit: 'x',
    ...(target !== undefined && { target }),
  })
  const each = (what: string, unit: Unit, value: (load: Load) => number) =>
    Object.entries({ tasksim, bare, 'Express stub': express }).map(([server, rounds]) =>
      figureOf(`${name}: ${what}, ${server}`, unit, rounds.map(value)),
    )
  return [
    ratio('lowest', (values) => Math.min(...values), { atMost: MOST }),
    ratio('median', median),
    ...each('CPU per request', 'us', ({ cpu }) => cpu),
    ...each('rate', 'req/s', ({ rate }) => rate),
  ]
}
