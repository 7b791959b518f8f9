import { type LedgerSetup, REDIS, SQLITE } from '../../faults/kills/ledgers.js'
import { type Figure, figureOf } from '../figure.js'
import { drive } from '../http/load.js'
import { TasksimServer } from '../tasksim-server.js'

const TASKS = 100_000
const ROUNDS = 3
const ROUND = 2_000

/**
 * Measures how much longer a server takes to start with the state of 100,000 tasks, which includes reading the rows from
 * the ledger.
 */
export async function restore(): Promise<Figure[]> {
  return [await restoreFrom(SQLITE), await restoreFrom(REDIS)]
}

async function restoreFrom(setup: LedgerSetup): Promise<Figure> {
  const [empty, full] = [await setup.open(), await setup.open()]
  try {
    await fill(full.node, full.url)
    const extra: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const without = await startTime(empty.node, empty.url)
      extra.push((await startTime(full.node, full.url)) - without)
    }
    return figureOf(`ledger ${setup.name}: restoring ${TASKS} tasks`, 'ms', extra, { atMost: 2_000 })
  } finally {
    await empty.close()
    await full.close()
  }
}

const startWith = (node: string, url: string) =>
  TasksimServer.startWith(node, 'instant', '--keep-tasks', '1000000', '--keep-bytes', '2GB', '--ledger', url)

async function fill(node: string, url: string): Promise<void> {
  const server = await startWith(node, url)
  let created = 0
  const count = () => {
    created += 1
  }
  while (created < TASKS) await drive(server.port, ROUND, { polls: 0, onTask: count })
  await server.stop()
}

async function startTime(node: string, url: string): Promise<number> {
  const begin = performance.now()
  const server = await startWith(node, url)
  const took = performance.now() - begin
  await server.stop()
  return took
}
