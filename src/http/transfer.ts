import type { MemoryBudget } from '../engine/memory/budget.js'
import { overBudget } from '../exchange/problem.js'

/** A body that counts in the memory budget until its release. */
export class Transfer {
  /** The number of counted bytes. */
  bytes = 0
  readonly #memory: MemoryBudget
  #isReleased = false

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  /**
   * Counts further bytes, unless the transfer was released.
   * @throws Problem 503 if they exceed the budget
   */
  add(bytes: number): void {
    if (this.#isReleased) return
    if (!this.#memory.canTransfer(bytes)) throw overBudget(this.#memory)
    this.#memory.transfers.add(bytes)
    this.bytes += bytes
  }

  /** Frees the bytes; further calls do nothing. */
  release(): void {
    this.#isReleased = true
    this.#memory.transfers.add(-this.bytes)
    this.bytes = 0
  }
}
