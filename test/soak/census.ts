import type { Control, TaskBriefShape } from '../../src/client/index.js'

const PAGE = 1_000

/** The final states. */
export const ENDED: readonly string[] = ['succeeded', 'failed', 'canceled']

/** Records every task before the server forgets it. */
export class Census {
  /** The last known state of each task, by id. */
  readonly tasks = new Map<string, TaskBriefShape>()
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /** The unfinished tasks, as far as known. */
  get open(): TaskBriefShape[] {
    return [...this.tasks.values()].filter(({ status }) => !ENDED.includes(status))
  }

  /** Updates the records repeatedly, until the signal aborts. */
  async follow(every: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.take()
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  /**
   * Reads all tasks that may be new or changed, newest first.
   * @returns the number of listed tasks, if it read all of them
   */
  async take({ isWhole = false } = {}): Promise<number> {
    const open = new Set(this.open.map(({ id }) => id))
    let listed = 0
    for (let after: string | null | undefined; after !== null; ) {
      const page = await this.#control.tasks.brief({ limit: PAGE, ...(after && { after }) })
      const hasChanged = page.data.some(({ id }) => !this.tasks.has(id))
      for (const task of page.data) {
        this.tasks.set(task.id, task)
        open.delete(task.id)
      }
      listed += page.data.length
      after = isWhole || hasChanged || open.size > 0 ? page.next_cursor : null
    }
    return listed
  }
}
