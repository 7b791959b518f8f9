import type { Account, Holder, MemoryBudget } from './budget.js'

interface Cached<Value> {
  readonly value: Value
  readonly bytes: number
}

/** Keeps values up to a number of bytes, and evicts the least recently used ones. */
export class ByteCache<Value> {
  readonly #capacity: number
  readonly #account: Account
  /** The least recently used value first. */
  readonly #values = new Map<string, Cached<Value>>()
  #isOpen = true

  /** @param capacity in bytes */
  constructor(budget: MemoryBudget, holder: Holder, capacity: number) {
    this.#capacity = capacity
    this.#account = budget.open(holder, () => this.#evict())
  }

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  get(key: string): Value | undefined {
    const cached = this.#values.get(key)
    if (cached === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, cached)
    return cached.value
  }

  /** Keeps a value, unless it is larger than the whole cache. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
    if (!this.#isOpen || bytes > this.#capacity) return
    this.#values.set(key, { value, bytes })
    this.#account.add(bytes)
    while (this.#account.bytes > this.#capacity && this.#evict());
  }

  delete(key: string): void {
    this.#account.add(-(this.#values.get(key)?.bytes ?? 0))
    this.#values.delete(key)
  }

  /** Forgets all values, and ignores further ones. */
  close(): void {
    this.#isOpen = false
    this.#values.clear()
    this.#account.close()
  }

  #evict(): boolean {
    const [oldest] = this.#values.keys()
    if (oldest === undefined) return false
    this.delete(oldest)
    return true
  }
}
