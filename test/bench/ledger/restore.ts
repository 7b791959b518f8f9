import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LedgerSetup, REDIS, SQLITE } from '../../faults/kills/ledgers.js'
import { createTask } from '../../faults/standby/load.js'
import { eventually } from '../../support/check.js'
import { CLI, Server } from '../../support/server.js'
import { cpuTimeOf } from '../cpu-time.js'
import { bestOf, type Figure, figureOf } from '../figure.js'
import { drive } from '../http/load.js'

const TASKS = 100_000
const ROUNDS = 5
const ROUND = 2_000
/** How long a server may take to lead beside other load, in milliseconds. */
const PATIENCE = 30_000
const KEEP = ['--keep-tasks', '1000000', '--keep-bytes', '2GB']

/**
 * Measures how much longer a server takes to start with the state of 100,000 tasks, which includes reading the rows from
 * the ledger, and how soon a standby takes over with them. The best round counts: other processes only delay it.
 */
export async function restore(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-restore-'))
  const state = join(folder, 'state.jsonl')
  try {
    await createState(state)
    return [
      ...(await restoreFrom(SQLITE, state)),
      ...(await restoreFrom(REDIS, state)),
      await takeOver(state),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param state the path of a state file */
async function restoreFrom(setup: LedgerSetup, state: string): Promise<Figure[]> {
  const [empty, full] = [await setup.open(), await setup.open()]
  try {
    importState(full.node, state, full.url)
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
    const parsing = parsingTime(full.node, state)
    return [
      bestOf(
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
  Server.start(['instant', ...KEEP, '--ledger', url], { command: [node, CLI] })

/** Writes the state of a server that has created the tasks. */
async function createState(file: string): Promise<void> {
  const server = await Server.start(['instant', ...KEEP])
  let created = 0
  const count = () => {
    created += 1
  }
  try {
    while (created < TASKS) await drive(server.port, ROUND, { polls: 0, onTask: count })
    writeFileSync(file, await (await server.fetch('/_sim/state.jsonl')).text())
  } finally {
    await server.kill()
  }
}

function importState(node: string, state: string, url: string): void {
  execFileSync(node, [CLI, 'import', state, '--ledger', url, '--force'], { stdio: 'pipe' })
}

const PARSE = `
const lines = require('node:fs').readFileSync(process.argv[1], 'utf8').split('\\n').filter(Boolean)
const before = process.cpuUsage()
for (const line of lines) JSON.parse(line)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000)`

/** The CPU time of parsing the lines of a state in a new process, in milliseconds. */
function parsingTime(node: string, state: string): number {
  return Number(execFileSync(node, ['-e', PARSE, state], { encoding: 'utf8' }))
}

/** Measures how long nobody leads after `kill -9`. */
async function takeOver(state: string): Promise<Figure> {
  const { node, url, close } = await REDIS.open()
  const servers: Server[] = []
  try {
    importState(node, state, url)
    servers.push(await startWith(process.execPath, url))
    const took: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [leader, standby] = [servers.at(-1), await startWith(process.execPath, url)]
      servers.push(standby)
      if (leader !== undefined) await createTask(leader, `round ${round}`)
      const begin = performance.now()
      await leader?.kill()
      await eventually('the standby leads', () => standby.isReady(), PATIENCE)
      took.push(performance.now() - begin)
    }
    return bestOf(`ledger Redis: takeover with ${TASKS} tasks`, 'ms', took, { atMost: 3_000 })
  } finally {
    for (const server of servers) await server.kill()
    await close()
  }
}
