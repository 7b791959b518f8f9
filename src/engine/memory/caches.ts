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

/** Something that has ended and is kept for a while, such as a task. */
export interface Evictable {
  readonly id: string
  /** The bytes that it retains. */
  readonly bytes: number
}

/** Fewer items that were taken or deleted stay in the list. */
const MIN_GONE = 64

/** What may be evicted, in the order of the ends. The cost of each method does not depend on the number of items. */
export class EvictionQueue {
  /** Begins with items that were taken, and contains deleted ones; never more of them than others. */
  #items: Evictable[] = []
  /** The number of items that were taken. */
  #taken = 0
  /** The ids of deleted items in the queue. */
  readonly #deleted = new Set<string>()

  /** The number of items. */
  get size(): number {
    return this.#items.length - this.#taken - this.#deleted.size
  }

  /** Adds what has just ended. */
  add(item: Evictable): void {
    this.#items.push(item)
  }

  /** The ids of the items, the one that ended first at the start. */
  ids(): Iterable<string> {
    return this.#rest().map(({ id }) => id)
  }

  /** Removes the item that ended first. @returns undefined if there is none */
  takeOldest(): Evictable | undefined {
    for (let item = this.#items[this.#taken]; item !== undefined; item = this.#items[this.#taken]) {
      this.#taken += 1
      const isDeleted = this.#deleted.delete(item.id)
      this.#compact()
      if (!isDeleted) return item
    }
    return undefined
  }

  /** Removes an item that was added. @returns false if it was deleted before */
  delete(id: string): boolean {
    if (this.#deleted.has(id)) return false
    this.#deleted.add(id)
    this.#compact()
    return true
  }

  /** Removes all items. */
  clear(): void {
    this.#items = []
    this.#taken = 0
    this.#deleted.clear()
  }

  #rest(): Evictable[] {
    return this.#items.slice(this.#taken).filter(({ id }) => !this.#deleted.has(id))
  }

  /** Removes the items that were taken or deleted from the list, if they are more than the others. */
  #compact(): void {
    const gone = this.#taken + this.#deleted.size
    if (gone < MIN_GONE || gone <= this.size) return
    this.#items = this.#rest()
    this.#taken = 0
    this.#deleted.clear()
  }
}
