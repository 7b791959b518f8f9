import { Server } from '../support/server.js'

/** Runs an attack against a new server, and stops the server. */
export async function withServer(attack: (server: Server) => Promise<void>): Promise<void> {
  const server = await Server.start(['instant'])
  try {
    await attack(server)
  } finally {
    await server.kill()
  }
}
