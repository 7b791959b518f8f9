import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The webhooks of one task. */
export interface ReceivedTask {
  /** Their bodies, each once: a repeated webhook has the same. */
  readonly bodies: Set<string>
  /** The states that they have told. */
  readonly states: Set<string>
  /** How many of them were answered with success. */
  accepted: number
}

/** Every n-th request is answered with 500, so that it must be repeated. */
const FAILS_EVERY = 11

/** Receives webhooks, and remembers them by task. */
export class WebhookReceiver {
  readonly tasks = new Map<string, ReceivedTask>()
  /** The number of requests. */
  received = 0
  /** Called with the number of each request. Returns whether to give no answer. */
  ignores: ((number: number) => boolean) | undefined
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.received += 1
        const isIgnored = this.ignores?.(this.received) === true
        const accepts = !isIgnored && this.received % FAILS_EVERY !== 0
        this.#remember(Buffer.concat(chunks).toString(), accepts)
        if (!isIgnored) response.writeHead(accepts ? 200 : 500).end()
      })
    })
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #remember(body: string, accepts: boolean): void {
    const { id, status } = (JSON.parse(body) as { task: { id: string; status: string } }).task
    const task = this.tasks.get(id) ?? { bodies: new Set(), states: new Set(), accepted: 0 }
    this.tasks.set(id, task)
    task.bodies.add(body)
    task.states.add(status)
    if (accepts) task.accepted += 1
  }
}
