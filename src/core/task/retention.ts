import Queue from 'yocto-queue'

/** Decides which of the tasks that have ended are to be forgotten: whichever ended first goes first. */
export class Retention {
  readonly #most: number
  readonly #isAwaited: (id: string) => boolean
  /** Those that are kept, in the order in which they ended. */
  readonly #ended = new Queue<string>()
  /** Those whose turn has passed, and of which somebody is still to be told. */
  readonly #overdue = new Set<string>()

  /**
   * @param most how many tasks that have ended are kept
   * @param isAwaited whether somebody is still to be told of a task's end
   */
  constructor(most: number, isAwaited: (id: string) => boolean) {
    this.#most = most
    this.#isAwaited = isAwaited
  }

  /** Takes in a task that has ended. @returns the one that is to be forgotten instead, if any is */
  add(id: string): string | undefined {
    this.#ended.enqueue(id)
    if (this.#ended.size <= this.#most) return undefined
    const oldest = this.#ended.dequeue() as string
    if (!this.#isAwaited(oldest)) return oldest
    this.#overdue.add(oldest)
    return undefined
  }

  /** Hears that nobody is to be told of a task any more. @returns whether it is to be forgotten now */
  told(id: string): boolean {
    return this.#overdue.delete(id)
  }
}
