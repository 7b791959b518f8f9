import type { MemoryBudget } from '../engine/memory/budget.js'
import type { Reply } from '../exchange/exchange.js'
import { overBudget } from '../exchange/problem.js'

/** A body that counts in the memory budget until its release. */
export class Transfer {
  readonly #memory: MemoryBudget
  #bytes = 0
  #isReleased = false

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  /** The number of counted bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts further bytes, unless the transfer was released.
   * @throws Problem 503 if they exceed the budget
   */
  add(bytes: number): void {
    if (this.#isReleased) return
    if (!this.#memory.canTransfer(bytes)) throw overBudget(this.#memory)
    this.#memory.transfers.add(bytes)
    this.#bytes += bytes
  }

  /** Frees the bytes; further calls do nothing. */
  release(): void {
    this.#isReleased = true
    this.#memory.transfers.add(-this.#bytes)
    this.#bytes = 0
  }
}

/** In characters. Shorter replies do not count. */
const SHORT = 65_536

/**
 * The bytes of a long reply, which a host counts as a transfer until it is sent: clients that do not read their answers
 * could fill the memory. Files do not count, because all replies with a file share its bytes.
 */
export function bytesOfReply({ body }: Reply): number {
  return typeof body === 'string' && body.length >= SHORT ? body.length : 0
}
