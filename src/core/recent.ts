/**
 * A table of what was worked out lately, bounded so that no client can fill the memory with it. When it is full
 * it begins anew: whatever is in use is soon back in it.
 */
export class Recent<Key, Value> {
  readonly #most: number
  readonly #known = new Map<Key, Value>()

  /** @param most how many entries it holds at the most */
  constructor(most = 1_000) {
    this.#most = most
  }

  get(key: Key): Value | undefined {
    return this.#known.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#known.size >= this.#most) this.#known.clear()
    this.#known.set(key, value)
  }
}
