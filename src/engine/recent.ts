/**
 * A table of what was used lately, bounded so that no client can fill the memory with it. It has a young half and an
 * old one: when the young one is full it becomes the old one, whose entries are forgotten unless they were used since.
 */
export class Recent<Key, Value> {
  readonly #half: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  /** @param most how many entries it holds at the most; the half of them that were used last it always has */
  constructor(most = 1_000) {
    this.#half = most / 2
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const known = this.#old.get(key)
    if (known !== undefined) this.set(key, known)
    return known
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
