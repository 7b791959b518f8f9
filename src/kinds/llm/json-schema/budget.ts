/** The maximum size of a generated value, in characters, and of the schema parts that it needs. */
const MAX_SIZE = 100_000

/** Limits the work of one sample. Every step that a schema can repeat must spend from it. */
export class Budget {
  #left = MAX_SIZE

  /** Spends an amount. Returns false if the budget does not cover it. */
  spend(amount: number): boolean {
    this.#left -= amount
    return this.#left >= 0
  }
}
