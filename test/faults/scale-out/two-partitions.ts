import { TasksimServer } from '../../bench/tasksim-server.js'
import { type Nginx, startNginx } from './nginx.js'

/** Calls a function with nginx and the partitions a and b, which have one server each. */
export async function withPartitions(run: (nginx: Nginx) => Promise<void>): Promise<void> {
  const [a, b] = await Promise.all([startPartition('a'), startPartition('b')])
  const nginx = await startNginx({
    'tasksim-a-1': addressOf(a),
    'tasksim-a-2': addressOf(a),
    'tasksim-b-1': addressOf(b),
    'tasksim-b-2': addressOf(b),
  })
  try {
    await run(nginx)
  } finally {
    await nginx.close()
    await Promise.all([a.end(), b.end()])
  }
}

/** Both servers have the same seed, so only the partition makes their ids different. */
function startPartition(name: string): Promise<TasksimServer> {
  return TasksimServer.start('instant', '--seed', '1', '--partition', name)
}

function addressOf({ port }: TasksimServer): string {
  return `127.0.0.1:${port}`
}
