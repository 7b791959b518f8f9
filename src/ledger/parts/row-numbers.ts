/** Numbers things in the order of their creation, for their rows. A number is never used twice. */
export class RowNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #ids = new Map<number, string>()
  #last = 0

  /** The number of a thing, which is the next one if it has none. */
  add(id: string): number {
    const number = this.#numbers.get(id)
    if (number !== undefined) return number
    this.restore(id, this.#last + 1)
    return this.#last
  }

  restore(id: string, number: number): void {
    this.#numbers.set(id, number)
    this.#ids.set(number, id)
    this.#last = Math.max(this.#last, number)
  }

  /** @returns 0 if the thing has no number */
  of(id: string): number {
    return this.#numbers.get(id) ?? 0
  }

  /** @returns an empty text if nothing has the number */
  idOf(number: number): string {
    return this.#ids.get(number) ?? ''
  }

  delete(id: string): void {
    this.#ids.delete(this.of(id))
    this.#numbers.delete(id)
  }

  /** Forgets all things. The numbers continue. */
  clear(): void {
    this.#numbers.clear()
    this.#ids.clear()
  }
}

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
