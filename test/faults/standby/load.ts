import { wait } from '../../support/check.js'
import type { Server } from '../../support/server.js'

/** Clients that create tasks until they are stopped. */
export class Load {
  /** The ids of the tasks that a server has confirmed. */
  readonly confirmed: string[] = []
  /** The number of requests that no server has confirmed. */
  unconfirmed = 0
  #isOver = false
  readonly #clients: Promise<unknown>

  /** @param servers each client sends every request to the first of them that confirms it */
  constructor(servers: readonly Server[], clients = 4) {
    this.#clients = Promise.all(Array.from({ length: clients }, (_, client) => this.#run(servers, client)))
  }

  /** Resolves when the last request is answered. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#clients
  }

  async #run(servers: readonly Server[], client: number): Promise<void> {
    for (let at = 0; !this.#isOver; at++) {
      for (const server of servers) {
        const id = await createTask(server, `task ${at} of client ${client}`)
        if (id === undefined) this.unconfirmed += 1
        else this.confirmed.push(id)
        if (id !== undefined) break
      }
      await wait(5)
    }
  }
}

/** Creates a task. @returns its id, or undefined if the server did not confirm it */
export async function createTask(server: Server, prompt: string): Promise<string | undefined> {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt } })
  const signal = AbortSignal.timeout(8_000)
  const response = await server
    .fetch('/api/v1/tasks', { method: 'POST', body, signal })
    .catch(() => undefined)
  const answer: unknown = await response?.json().catch(() => undefined)
  if (response?.status !== 200) return undefined
  const { id } = Object(answer) as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}
