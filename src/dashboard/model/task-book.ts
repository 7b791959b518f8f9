import type { EntryShape, TaskBriefShape } from '../../control/shapes.js'

export type TaskEntry = Extract<EntryShape, { type: 'task' }>

const RANKS: Readonly<Record<string, number>> = { queued: 0, processing: 1 }

/** The more a task has gone through, the newer is what tells of it. */
function rank(status: string): number {
  return RANKS[status] ?? 2
}

/**
 * All tasks that the page knows, newest first. Pages of the list and lines of the journal may come in any order and
 * twice: what is told of a later state wins.
 */
export class TaskBook {
  readonly #tasks = new Map<string, TaskBriefShape>()
  /** Oldest first: these came while the page looked on. */
  readonly #fresh: string[] = []
  /** Newest first: these were there before. */
  readonly #older: string[] = []

  get size(): number {
    return this.#tasks.size
  }

  get(id: string): TaskBriefShape | undefined {
    return this.#tasks.get(id)
  }

  clear(): void {
    this.#tasks.clear()
    this.#fresh.length = 0
    this.#older.length = 0
  }

  /** Takes in a page of the list, which follows on the pages before. */
  addPage(tasks: readonly TaskBriefShape[]): void {
    for (const task of tasks) {
      if (!this.#tasks.has(task.id)) this.#older.push(task.id)
      this.#put(task)
    }
  }

  /** Takes in a line of the journal. */
  addEntry({ task_id: id, number: _, at: __, type: ___, rule: ____, ...brief }: TaskEntry): void {
    const known = this.#tasks.get(id)
    if (known === undefined) this.#fresh.push(id)
    const isOver = rank(brief.status) === 2
    this.#put({ ...brief, id, held: isOver ? false : (known?.held ?? false) })
  }

  /** Takes in what an answer told of one task that is known. */
  update(id: string, change: Partial<TaskBriefShape>): void {
    const known = this.#tasks.get(id)
    if (known !== undefined) this.#tasks.set(id, { ...known, ...change })
  }

  /** The tasks that pass a test, newest first. */
  list(test: (task: TaskBriefShape) => boolean): TaskBriefShape[] {
    const found: TaskBriefShape[] = []
    const look = (id: string | undefined) => {
      const task = id === undefined ? undefined : this.#tasks.get(id)
      if (task !== undefined && test(task)) found.push(task)
    }
    for (let index = this.#fresh.length - 1; index >= 0; index--) look(this.#fresh[index])
    for (const id of this.#older) look(id)
    return found
  }

  #put(task: TaskBriefShape): void {
    const known = this.#tasks.get(task.id)
    if (known === undefined || rank(task.status) >= rank(known.status)) this.#tasks.set(task.id, task)
  }
}
