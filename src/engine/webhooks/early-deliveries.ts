import type { AppliedWebhookFault } from './webhook-fault-rules.js'

interface Early {
  /** By the receiver's URL. */
  readonly faults: ReadonlyMap<string, AppliedWebhookFault>
  readonly attempts: Promise<void>[]
}

/** The webhooks that are sent before the response to the create request of their task. */
export class EarlyDeliveries {
  /** By the id of the task. */
  readonly #tasks = new Map<string, Early>()

  /** @param faults the faults that send a webhook early, by the receiver's URL */
  plan(taskId: string, faults: ReadonlyMap<string, AppliedWebhookFault>): void {
    this.#tasks.set(taskId, { faults, attempts: [] })
  }

  /** The planned fault of a task's delivery; undefined if it is not sent early. */
  faultOf(taskId: string, url: string): AppliedWebhookFault | undefined {
    return this.#tasks.get(taskId)?.faults.get(url)
  }

  /** Delays the response until a first attempt has ended. @returns a function to call at the end of the attempt */
  expectAttempt(taskId: string): () => void {
    let end = () => {}
    const attempt = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#tasks.get(taskId)?.attempts.push(attempt)
    return end
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
