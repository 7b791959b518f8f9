import { TasksimServer } from '../bench/tasksim-server.js'

/** Runs an attack against a new server, and stops the server. */
export async function withServer(attack: (server: TasksimServer) => Promise<void>): Promise<void> {
  const server = await TasksimServer.start('instant')
  try {
    await attack(server)
  } finally {
    await server.end()
  }
}
