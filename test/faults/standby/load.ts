import { wait } from '../check.js'
import type { ServerProcess } from './server-process.js'

/** Clients that create tasks until they are stopped. */
export class Load {
  /** The ids of the tasks that a server has confirmed. */
  readonly confirmed: string[] = []
  /** The number of requests that no server has confirmed. */
  unconfirmed = 0
  #isOver = false
  readonly #clients: Promise<unknown>

  /** @param servers each client sends every request to the first of them that confirms it */
  constructor(servers: readonly ServerProcess[], clients = 4) {
    this.#clients = Promise.all(Array.from({ length: clients }, (_, client) => this.#run(servers, client)))
  }

  /** Resolves when the last request is answered. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#clients
  }

  async #run(servers: readonly ServerProcess[], client: number): Promise<void> {
    for (let at = 0; !this.#isOver; at++) {
      for (const server of servers) {
        const id = await server.createTask(`task ${at} of client ${client}`)
        if (id === undefined) this.unconfirmed += 1
        else this.confirmed.push(id)
        if (id !== undefined) break
      }
      await wait(5)
    }
  }
}
