import Queue from 'yocto-queue'

/** Something that has ended and is kept for a while, such as a task. */
export interface Evictable {
  readonly id: string
  /** The bytes that it retains. */
  readonly bytes: number
}

const MIN_DELETED = 16

/** What may be evicted, in the order of the ends. The cost of each method does not depend on the number of items. */
export class EvictionQueue {
  /** Contains deleted items as well, but never more of them than others. */
  #queue = new Queue<Evictable>()
  /** The ids of deleted items in the queue. */
  readonly #deleted = new Set<string>()

  /** The number of items. */
  get size(): number {
    return this.#queue.size - this.#deleted.size
  }

  /** Adds what has just ended. */
  add(item: Evictable): void {
    this.#queue.enqueue(item)
  }

  /** The ids of the items, the one that ended first at the start. */
  *ids(): Iterable<string> {
    for (const { id } of this.#queue) if (!this.#deleted.has(id)) yield id
  }

  /** Removes the item that ended first. @returns undefined if there is none */
  takeOldest(): Evictable | undefined {
    let oldest = this.#queue.dequeue()
    while (oldest !== undefined && this.#deleted.delete(oldest.id)) oldest = this.#queue.dequeue()
    return oldest
  }

  /** Removes an item that was added. @returns false if it was deleted before */
  delete(id: string): boolean {
    if (this.#deleted.has(id)) return false
    this.#deleted.add(id)
    if (this.#deleted.size > MIN_DELETED && this.#deleted.size > this.size) this.#compact()
    return true
  }

  /** Removes all items. */
  clear(): void {
    this.#queue.clear()
    this.#deleted.clear()
  }

  #compact(): void {
    const kept = new Queue<Evictable>()
    for (const item of this.#queue) if (!this.#deleted.has(item.id)) kept.enqueue(item)
    this.#queue = kept
    this.#deleted.clear()
  }
}
