/** Numbers tasks or deliveries in the order of their ends. */
export class EndSequence {
  readonly #numbers = new Map<string, number>()
  #last = 0

  /** Numbers one that has ended, unless it has a number. */
  add(id: string, number = this.#last + 1): void {
    if (this.#numbers.has(id)) return
    this.#numbers.set(id, number)
    this.#last = Math.max(this.#last, number)
  }

  of(id: string): number | undefined {
    return this.#numbers.get(id)
  }

  delete(id: string): void {
    this.#numbers.delete(id)
  }

  clear(): void {
    this.#numbers.clear()
  }
}
