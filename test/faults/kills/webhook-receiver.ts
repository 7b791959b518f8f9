import { type Receiver, startReceiver } from '../../support/receiver.js'

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
  #server: Receiver | undefined

  /** @returns the URL of the receiver */
  async start(): Promise<string> {
    this.#server = await startReceiver((number, _, body) => this.#receive(number, body))
    return this.#server.url
  }

  stop(): void {
    this.#server?.close()
  }

  /** @returns the status of the answer; undefined for none */
  #receive(number: number, body: string): number | undefined {
    this.received = number
    const isIgnored = this.ignores?.(number) === true
    const accepts = !isIgnored && number % FAILS_EVERY !== 0
    const { id, status } = (JSON.parse(body) as { task: { id: string; status: string } }).task
    const task = this.tasks.get(id) ?? { bodies: new Set(), states: new Set(), accepted: 0 }
    this.tasks.set(id, task)
    task.bodies.add(body)
    task.states.add(status)
    if (accepts) task.accepted += 1
    return isIgnored ? undefined : accepts ? 200 : 500
  }
}
