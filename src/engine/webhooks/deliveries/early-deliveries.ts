import type { AppliedWebhookFault } from '../faults/webhook-fault-rules.js'
import type { Delivery } from './delivery.js'
import type { FirstAttempts } from './first-attempts.js'

interface Early {
  /** By the receiver's URL. */
  readonly faults: ReadonlyMap<string, AppliedWebhookFault>
  readonly attempts: Promise<void>[]
}

/** The webhooks that are sent before the response to the create request of their task. */
export class EarlyDeliveries {
  readonly #attempts: FirstAttempts
  /** By the id of the task. */
  readonly #tasks = new Map<string, Early>()

  constructor(attempts: FirstAttempts) {
    this.#attempts = attempts
  }

  /** @param faults the faults that send a webhook early, by the receiver's URL */
  plan(taskId: string, faults: ReadonlyMap<string, AppliedWebhookFault>): void {
    this.#tasks.set(taskId, { faults, attempts: [] })
  }

  /** The planned fault of a task's delivery; undefined if it is not sent early. */
  faultOf(taskId: string, url: string): AppliedWebhookFault | undefined {
    return this.#tasks.get(taskId)?.faults.get(url)
  }

  /** Delays the response until the first attempt of a delivery has ended. */
  expectAttempt({ id, taskId }: Delivery): void {
    this.#tasks.get(taskId)?.attempts.push(this.#attempts.of(id))
  }

  /** Resolves after all first attempts of a task, and forgets its plan. */
  async attempted(taskId: string): Promise<void> {
    const early = this.#tasks.get(taskId)
    this.#tasks.delete(taskId)
    await Promise.all(early?.attempts ?? [])
  }

  /** Forgets all plans. */
  clear(): void {
    this.#tasks.clear()
  }
}
