import { verifySignature } from '../../src/index.js'
import type { Order, RobustClient, ShownTask, Surroundings } from './robust-client.js'

const SECRET = 'whsec_local_signing_secret'
/** After this many milliseconds without a webhook it asks for itself. */
const PATIENCE = 90_000
const LOOK = 5_000

type Event = { readonly task: ShownTask }

/** An app that waits for webhooks, and polls only what it has heard nothing of for too long. */
export class WebhookApp {
  readonly #client: RobustClient
  readonly #around: Surroundings
  readonly #ended = new Map<string, ShownTask>()
  readonly #onProcessed: (taskId: string) => void

  /** @param onProcessed hears of every event that is really processed */
  constructor(client: RobustClient, around: Surroundings, onProcessed: (taskId: string) => void = () => {}) {
    this.#client = client
    this.#around = around
    this.#onProcessed = onProcessed
  }

  /** The route handler: verifies the raw body, takes each event once, and answers at once. */
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

  /** Orders a task, waits for its webhook, and downloads what it has made. */
  async generate(order: Order): Promise<void> {
    const created = await this.#client.create(order)
    const end = this.#around.now() + PATIENCE
    while (!this.#ended.has(created.id) && this.#around.now() < end) await this.#around.sleep(LOOK)
    await this.#client.download(this.#ended.get(created.id) ?? (await this.#client.wait(created)))
  }
}
