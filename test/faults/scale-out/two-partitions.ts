import { Server } from '../../support/server.js'
import { type Nginx, startNginx } from './nginx.js'

/**
 * Starts a server of a partition. All servers have the same seed, so only the partition makes their ids different.
 * @param args further arguments of tasksim
 */
export function startPartition(name: string, ...args: readonly string[]): Promise<Server> {
  const { TASKSIM_PARTITION: _, ...env } = process.env
  return Server.start(['instant', '--seed', '1', '--partition', name, ...args], { env })
}

/** Calls a function with nginx and the partitions a and b, which have one server each. */
export async function withPartitions(run: (nginx: Nginx) => Promise<void>): Promise<void> {
  const [a, b] = await Promise.all([startPartition('a'), startPartition('b')])
  const nginx = await startNginx({
    'tasksim-a-1': a,
    'tasksim-a-2': a,
    'tasksim-b-1': b,
    'tasksim-b-2': b,
  })
  try {
    await run(nginx)
  } finally {
    await nginx.close()
    await Promise.all([a.kill(), b.kill()])
  }
}
