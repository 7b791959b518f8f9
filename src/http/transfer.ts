import type { MemoryBudget } from '../engine/memory/budget.js'
import { overBudget } from './over-budget.js'

/** A body that is counted in the memory budget until it is released. */
export class Transfer {
  readonly #memory: MemoryBudget
  #bytes = 0
  #isReleased = false

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  /** How many bytes are counted. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts further bytes, unless the transfer is released.
   * @throws Problem 503 if there is no room for them
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
