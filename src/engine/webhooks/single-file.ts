import Queue from 'yocto-queue'

/** Lets one go at a time through each gate, in the order in which they came. */
export class SingleFile {
  readonly #lines = new Map<string, Queue<() => void>>()

  /** Goes now, or when all that came before have left. */
  enter(gate: string, go: () => void): void {
    const line = this.#lines.get(gate)
    if (line !== undefined) {
      line.enqueue(go)
      return
    }
    this.#lines.set(gate, new Queue())
    go()
  }

  /** Makes way for the next. */
  leave(gate: string): void {
    const next = this.#lines.get(gate)?.dequeue()
    if (next === undefined) this.#lines.delete(gate)
    else next()
  }

  clear(): void {
    this.#lines.clear()
  }
}
