import Queue from 'yocto-queue'

/** An ended task in the line for eviction. */
export interface EndedTask {
  readonly id: string
  /** The bytes that it retains. */
  readonly bytes: number
}

const MIN_DELETED = 16

/** Ended tasks in the order of their ends. The cost of each method does not depend on their number. */
export class EndedTasks {
  /** Contains deleted tasks as well, but never more of them than others. */
  #queue = new Queue<EndedTask>()
  /** The ids of deleted tasks in the queue. */
  readonly #deleted = new Set<string>()

  /** The number of tasks. */
  get size(): number {
    return this.#queue.size - this.#deleted.size
  }

  /** Adds a task that has just ended. */
  add(task: EndedTask): void {
    this.#queue.enqueue(task)
  }

  /** The ids of the tasks, the one that ended first at the start. */
  *ids(): Iterable<string> {
    for (const { id } of this.#queue) if (!this.#deleted.has(id)) yield id
  }

  /** Removes the task that ended first. @returns undefined if there is none */
  takeOldest(): EndedTask | undefined {
    let oldest = this.#queue.dequeue()
    while (oldest !== undefined && this.#deleted.delete(oldest.id)) oldest = this.#queue.dequeue()
    return oldest
  }

  /** Removes a task that was added. @returns false if it was deleted before */
  delete(id: string): boolean {
    if (this.#deleted.has(id)) return false
    this.#deleted.add(id)
    if (this.#deleted.size > MIN_DELETED && this.#deleted.size > this.size) this.#compact()
    return true
  }

  /** Removes all tasks. */
  clear(): void {
    this.#queue.clear()
    this.#deleted.clear()
  }

  #compact(): void {
    const kept = new Queue<EndedTask>()
    for (const task of this.#queue) if (!this.#deleted.has(task.id)) kept.enqueue(task)
    this.#queue = kept
    this.#deleted.clear()
  }
}
