/**
 * A bounded map of recently used entries. It has a young half and an old half: when the young half is full, it replaces
 * the old half, whose entries are evicted. Reading an old entry moves it to the young half.
 */
export class Recent<Key, Value> {
  readonly #half: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  /** @param maxEntries the maximum; at least half as many of the most recently used entries are always kept */
  constructor(maxEntries = 1_000) {
    this.#half = maxEntries / 2
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
