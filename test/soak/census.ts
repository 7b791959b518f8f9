import type { Control, TaskBriefShape } from '../../src/client/index.js'

const PAGE = 1_000

/** The states in which a task stays as it is. */
export const ENDED: readonly string[] = ['succeeded', 'failed', 'canceled']

/** Writes down every task that there ever was, before the server forgets it. */
export class Census {
  /** As each was last seen, by id. */
  readonly tasks = new Map<string, TaskBriefShape>()
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /** Those who have not ended, as far as is known. */
  get open(): TaskBriefShape[] {
    return [...this.tasks.values()].filter(({ status }) => !ENDED.includes(status))
  }

  /** Looks again and again, until it is told to end. */
  async follow(every: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.take()
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  /**
   * Looks at all tasks that may be new or have changed, newest first.
   * @returns how many the server still lists, where it was looked at all of them
   */
  async take({ isWhole = false } = {}): Promise<number> {
    const open = new Set(this.open.map(({ id }) => id))
    let listed = 0
    for (let after: string | null | undefined; after !== null; ) {
      const page = await this.#control.tasks.brief({ limit: PAGE, ...(after && { after }) })
      const hasNews = page.data.some(({ id }) => !this.tasks.has(id))
      for (const task of page.data) {
        this.tasks.set(task.id, task)
        open.delete(task.id)
      }
      listed += page.data.length
      after = isWhole || hasNews || open.size > 0 ? page.next_cursor : null
    }
    return listed
  }
}
