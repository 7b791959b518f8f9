/** A list of numbers that takes eight bytes a number. */
export class Column {
  #values = new Float64Array(64)
  #length = 0

  get length(): number {
    return this.#length
  }

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** The numbers in the order in which they were added; a view, which the next `add` may detach. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length)
  }
}
