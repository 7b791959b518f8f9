import type { Events } from '../../events.js'

/** The first attempts of deliveries that a request waits for. */
export class FirstAttempts {
  /** By the id of the delivery. */
  readonly #waiting = new Map<string, () => void>()

  constructor(events: Events) {
    const settle = ({ id }: { readonly id: string }) => {
      this.#waiting.get(id)?.()
      this.#waiting.delete(id)
    }
    events.on('delivery.attempted', settle)
    events.on('delivery.ended', settle)
  }

  /** Resolves after the first attempt of a delivery that is about to be sent, or after its end without any. */
  of(id: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
    })
  }

  /** Forgets all waits, which then never end. */
  clear(): void {
    this.#waiting.clear()
  }
}
