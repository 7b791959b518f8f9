/** What one sample may still cost. A stranger writes the schema, so every loop over it draws on this. */
export class Budget {
  #steps: number
  #characters: number

  constructor(steps: number, characters: number) {
    this.#steps = steps
    this.#characters = characters
  }

  /** Pays for some work; false where there is nothing left to pay with. */
  spend(steps = 1): boolean {
    this.#steps -= steps
    return this.#steps >= 0
  }

  /** How much of a text of some length may be written, and pays for it. */
  write(characters: number): number {
    const granted = Math.max(0, Math.min(characters, this.#characters))
    this.#characters -= granted
    return granted
  }
}
