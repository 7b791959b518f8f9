import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../faults/check.js'
import { exportState, type LedgerSetup, REDIS, SQLITE } from '../../faults/kills/ledgers.js'
import { ServerProcess } from '../../faults/standby/server-process.js'
import { cpuTimeOf } from '../cpu-time.js'
import { bestOf, type Figure, figureOf } from '../figure.js'
import { drive } from '../http/load.js'
import { TasksimServer } from '../tasksim-server.js'

const TASKS = 100_000
const ROUNDS = 5
const ROUND = 2_000
/** How long a server may take to lead beside other load, in milliseconds. */
const PATIENCE = 30_000
const KEEP = ['--keep-tasks', '1000000', '--keep-bytes', '2GB']

/**
 * Measures how much longer a server takes to start with the state of 100,000 tasks, which includes reading the rows from
 * the ledger, and how soon a standby takes over with them.
 */
export async function restore(): Promise<Figure[]> {
  return [...(await restoreFrom(SQLITE)), ...(await restoreFrom(REDIS)), await takeOver()]
}

async function restoreFrom(setup: LedgerSetup): Promise<Figure[]> {
  const [empty, full] = [await setup.open(), await setup.open()]
  try {
    await fill(full.node, full.url)
    const extra: Start[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const without = await start(empty.node, empty.url)
      const { wall, cpu } = await start(full.node, full.url)
      extra.push({ wall: wall - without.wall, cpu: cpu - without.cpu })
    }
    const name = `ledger ${setup.name}: restoring ${TASKS} tasks`
    const cpu = bestOf(
      `${name}, CPU`,
      'ms',
      extra.map((round) => round.cpu),
    )
    const parsing = parsingTime(full.node, exportState(full.node, full.url), full.folder)
    return [
      figureOf(
        name,
        'ms',
        extra.map(({ wall }) => wall),
        { atMost: 2_000 },
      ),
      cpu,
      figureOf(`${name}, CPU, of JSON.parse`, 'x', [cpu.value / parsing], { atMost: 6 }),
    ]
  } finally {
    await empty.close()
    await full.close()
  }
}

/** In milliseconds. */
interface Start {
  readonly wall: number
  readonly cpu: number
}

async function start(node: string, url: string): Promise<Start> {
  const begin = performance.now()
  const server = await startWith(node, url)
  const wall = performance.now() - begin
  const cpu = cpuTimeOf(server.pid)
  await server.stop()
  return { wall, cpu }
}

const startWith = (node: string, url: string) =>
  TasksimServer.startWith(node, 'instant', ...KEEP, '--ledger', url)

async function fill(node: string, url: string): Promise<void> {
  const server = await startWith(node, url)
  let created = 0
  const count = () => {
    created += 1
  }
  while (created < TASKS) await drive(server.port, ROUND, { polls: 0, onTask: count })
  await server.stop()
}

const PARSE = `
const lines = require('node:fs').readFileSync(process.argv[1], 'utf8').split('\\n').filter(Boolean)
const before = process.cpuUsage()
for (const line of lines) JSON.parse(line)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000)`

/** The CPU time of parsing the lines of a state in a new process, in milliseconds. */
function parsingTime(node: string, state: string, folder: string): number {
  const file = join(folder, 'state.jsonl')
  writeFileSync(file, state)
  return Number(execFileSync(node, ['-e', PARSE, file], { encoding: 'utf8' }))
}

/** Measures how long nobody leads after `kill -9`. */
async function takeOver(): Promise<Figure> {
  const { node, url, close } = await REDIS.open()
  const servers: ServerProcess[] = []
  try {
    await fill(node, url)
    servers.push(await ServerProcess.start(url, ...KEEP))
    const took: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [leader, standby] = [servers.at(-1), await ServerProcess.start(url, ...KEEP)]
      servers.push(standby)
      await leader?.createTask(`round ${round}`)
      const begin = performance.now()
      await leader?.kill()
      await eventually('the standby leads', () => standby.isReady(), PATIENCE)
      took.push(performance.now() - begin)
    }
    return figureOf(`ledger Redis: takeover with ${TASKS} tasks`, 'ms', took, { atMost: 3_000 })
  } finally {
    for (const server of servers) await server.kill()
    await close()
  }
}
