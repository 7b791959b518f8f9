import { REDIS, SQLITE } from '../../faults/kills/ledgers.js'
import { CLI, Server } from '../../support/server.js'
import { cpuTimeOf } from '../cpu-time.js'
import { type Figure, figureOf, percentile, type Unit } from '../figure.js'
import { drive } from '../http/load.js'
import { restore } from './restore.js'

const ROUNDS = 5
const ROUND = 2_000

/** The throughput of one round. */
interface Round {
  /** Requests per second. */
  readonly rate: number
  /** Microseconds of the server's CPU per request. */
  readonly cpu: number
  /** Milliseconds that 99 % of the requests do not exceed. */
  readonly p99: number
}

interface Candidate {
  readonly name: string
  readonly server: Server
  readonly rounds: Round[]
}

/**
 * Measures the requests per second of a server that keeps its state in memory alone, in SQLite and in Redis. All three
 * run on the same version of Node, and take turns.
 */
export async function ledger(): Promise<Figure[]> {
  const [sqlite, redis] = [await SQLITE.open(), await REDIS.open()]
  const { node } = sqlite
  const start = (...args: string[]) =>
    Server.start(['default', '--speed', '10', ...args], { command: [node, CLI] })
  const candidates: Candidate[] = []
  try {
    const add = async (name: string, ...args: string[]) =>
      candidates.push({ name, server: await start(...args), rounds: [] })
    await add('memory')
    await add('SQLite', '--ledger', sqlite.url)
    await add('SQLite, full', '--ledger', `${sqlite.url}.full`, '--ledger-sync', 'full')
    await add('Redis', '--ledger', redis.url)
    for (const { server } of candidates) await measure(server)
    for (let round = 0; round < ROUNDS; round++)
      for (const { server, rounds } of candidates) rounds.push(await measure(server))
    return [...figuresOf(candidates), ...(await restore())]
  } finally {
    for (const { server } of candidates) await server.kill()
    await sqlite.close()
    await redis.close()
  }
}

async function measure({ port, pid }: Server): Promise<Round> {
  const durations: number[] = []
  const note = (took: number) => durations.push(took)
  const [usedBefore, begin] = [cpuTimeOf(pid), performance.now()]
  const answered = await drive(port, ROUND, { onPoll: note, onCreate: note })
  const seconds = (performance.now() - begin) / 1_000
  return {
    rate: answered / seconds,
    cpu: ((cpuTimeOf(pid) - usedBefore) * 1_000) / answered,
    p99: percentile(durations, 0.99),
  }
}

const LEAST: Readonly<Record<string, number>> = { SQLite: 0.6, Redis: 0.4 }

function figuresOf(candidates: readonly Candidate[]): Figure[] {
  const [memory] = candidates
  return candidates.flatMap(({ name, rounds }) => {
    const figure = (what: string, unit: Unit, value: (round: Round) => number) =>
      figureOf(`ledger ${name}: ${what}`, unit, rounds.map(value))
    const share = rounds.map(({ rate }, index) => rate / (memory?.rounds[index]?.rate ?? Number.NaN))
    const least = LEAST[name]
    return [
      figureOf(
        `ledger ${name}: rate, of memory`,
        'x',
        share,
        least === undefined ? undefined : { atLeast: least },
      ),
      figure('rate', 'req/s', ({ rate }) => rate),
      figure('CPU per request', 'us', ({ cpu }) => cpu),
      figure('99 % of the requests within', 'ms', ({ p99 }) => p99),
    ]
  })
}
