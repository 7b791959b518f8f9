import { verifySignature } from '../../src/index.js'
import type { Order, RobustClient, ShownTask, Surroundings } from './robust-client.js'

const SECRET = 'whsec_local_signing_secret'
/** Milliseconds without a webhook after which the app polls. */
const PATIENCE = 90_000
const LOOK = 5_000

type Event = { readonly task: ShownTask }

/** An app that waits for webhooks, and polls only after a long silence. */
export class WebhookApp {
  readonly #client: RobustClient
  readonly #around: Surroundings
  readonly #ended = new Map<string, ShownTask>()
  readonly #onProcessed: (taskId: string) => void

  /** @param onProcessed is called for every event that the app processes */
  constructor(client: RobustClient, around: Surroundings, onProcessed: (taskId: string) => void = () => {}) {
    this.#client = client
    this.#around = around
    this.#onProcessed = onProcessed
  }

  /** The route handler: verifies the raw body, processes each event once, and answers at once. */
  readonly handle = async (request: Request): Promise<Response> => {
    const raw = new Uint8Array(await request.arrayBuffer())
    if (!verifySignature(raw, request.headers.get('x-service-signature'), SECRET))
      return new Response(null, { status: 401 })
    const { task }: Event = JSON.parse(new TextDecoder().decode(raw))
    if (!this.#ended.has(task.id)) {
      this.#ended.set(task.id, task)
      this.#onProcessed(task.id)
    }
    return new Response(null, { status: 204 })
  }

  /** Creates a task, waits for its webhook, and downloads its files. */
  async generate(order: Order): Promise<void> {
    const created = await this.#client.create(order)
    const end = this.#around.now() + PATIENCE
    while (!this.#ended.has(created.id) && this.#around.now() < end) await this.#around.sleep(LOOK)
    await this.#client.download(this.#ended.get(created.id) ?? (await this.#client.wait(created)))
  }
}
