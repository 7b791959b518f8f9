import type { TaskBriefShape, TaskEntryShape } from '../../../control/shapes.js'
import { type FieldLists, FieldValues, wordsTest } from '../field-values.js'

const RANKS: Readonly<Record<string, number>> = { queued: 0, processing: 1 }

/** The number of ids of deleted tasks above which they are removed, if they also outnumber the tasks. */
const MAX_UNKNOWN_IDS = 1_000

/** Orders the states of a task: a higher rank is a later state. */
function rank(status: string): number {
  return RANKS[status] ?? 2
}

/**
 * The tasks of the page, newest first. Pages of the list and journal entries may arrive repeatedly and in any order.
 * The store keeps the latest state of each task.
 */
export class TaskStore {
  readonly #tasks = new Map<string, TaskBriefShape>()
  readonly #values = new FieldValues('kind', 'model', 'dialect', 'key')
  /** The tasks created since the page was loaded, oldest first. */
  #fresh: string[] = []
  /** The tasks created before the page was loaded, newest first. */
  #older: string[] = []

  get size(): number {
    return this.#tasks.size
  }

  /** The distinct kinds, models, dialects and keys. The same object until one of them changes. */
  get values(): FieldLists<'kind' | 'model' | 'dialect' | 'key'> {
    return this.#values.lists
  }

  get(id: string): TaskBriefShape | undefined {
    return this.#tasks.get(id)
  }

  clear(): void {
    this.#tasks.clear()
    this.#values.clear()
    this.#fresh.length = 0
    this.#older.length = 0
  }

  /** Adds the next page of the list. */
  addPage(tasks: readonly TaskBriefShape[]): void {
    for (const task of tasks) {
      if (!this.#tasks.has(task.id)) this.#older.push(task.id)
      this.#put(task)
    }
  }

  /** Adds a journal entry. */
  addEntry({ task_id: id, number: _, at: __, type: ___, rule: ____, ...brief }: TaskEntryShape): void {
    const known = this.#tasks.get(id)
    if (known === undefined) this.#fresh.push(id)
    const isEnded = rank(brief.status) === 2
    this.#put({ ...brief, id, held: isEnded ? false : (known?.held ?? false) })
  }

  /** Changes a known task. */
  update(id: string, change: Partial<TaskBriefShape>): void {
    const known = this.#tasks.get(id)
    if (known !== undefined) this.#tasks.set(id, { ...known, ...change })
  }

  /** Removes a task that the server has forgotten. */
  delete(id: string): void {
    const known = this.#tasks.get(id)
    if (known !== undefined) this.#values.remove(known)
    this.#tasks.delete(id)
    const ids = this.#fresh.length + this.#older.length
    if (ids > 2 * this.#tasks.size + MAX_UNKNOWN_IDS) this.#dropUnknownIds()
  }

  /** The matching tasks, newest first. */
  list(test: (task: TaskBriefShape) => boolean): TaskBriefShape[] {
    const found: TaskBriefShape[] = []
    const add = (id: string | undefined) => {
      const task = id === undefined ? undefined : this.#tasks.get(id)
      if (task !== undefined && test(task)) found.push(task)
    }
    for (let index = this.#fresh.length - 1; index >= 0; index--) add(this.#fresh[index])
    for (const id of this.#older) add(id)
    return found
  }

  #dropUnknownIds(): void {
    this.#fresh = this.#fresh.filter((id) => this.#tasks.has(id))
    this.#older = this.#older.filter((id) => this.#tasks.has(id))
  }

  #put(task: TaskBriefShape): void {
    const known = this.#tasks.get(task.id)
    if (known !== undefined && rank(task.status) < rank(known.status)) return
    this.#tasks.set(task.id, task)
    this.#values.add(task)
    if (known !== undefined) this.#values.remove(known)
  }
}

/** The states of tasks, in the order of the counts. */
export const TASK_STATES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const

/** The conditions on tasks, as in the address. An empty one matches all. */
export interface TaskFilter {
  readonly status: string
  readonly kind: string
  readonly model: string
  readonly dialect: string
  readonly key: string
  /** Words that must all occur in the id, model, prompt, error or key. */
  readonly text: string
}

export const NO_TASK_FILTER: TaskFilter = { status: '', kind: '', model: '', dialect: '', key: '', text: '' }

/** Reads the conditions from the query in the address. */
export function taskFilterIn(query: Readonly<Record<string, string>>): TaskFilter {
  const { status = '', kind = '', model = '', dialect = '', key = '', text = '' } = query
  return { status, kind, model, dialect, key, text }
}

/** The number of tasks in each state. */
export function countTaskStates(tasks: readonly TaskBriefShape[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status } of tasks) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Compiles a filter into a predicate. */
export function taskTest(filter: TaskFilter): (task: TaskBriefShape) => boolean {
  const { status, kind, model, dialect, key, text } = filter
  const hasWords = wordsTest(text)
  return (task) => {
    if (status === 'held' ? !task.held : status !== '' && task.status !== status) return false
    if (kind !== '' && task.kind !== kind) return false
    if (model !== '' && task.model !== model) return false
    if (dialect !== '' && task.dialect !== dialect) return false
    if (key !== '' && task.key !== key) return false
    return hasWords(() => `${task.id} ${task.model} ${task.prompt} ${task.error ?? ''} ${task.key}`)
  }
}
