import type { Status, Task } from './task.js'
import { TaskLine } from './task-line.js'

/**
 * Stores tasks in the memory of the process. The cost of an access does not depend on the number of
 * tasks. A page costs its length; a filter by state costs one byte per skipped task.
 */
export class TaskStore {
  #all = this.#newLineOfAll()
  /** The index of each task in the line of all tasks, by id. */
  #indexes = new Map<string, number>()
  /** The tasks of each owner. */
  #owners = new Map<string, TaskLine>()
  /** The index of each task in the line of its owner, by its index in the line of all tasks. */
  #ownIndexes: number[] = []

  /** Adds a task with a new id. */
  add(task: Task): void {
    const own = this.#owners.get(task.owner) ?? this.#newLineOf(task.owner)
    const index = this.#all.add(task)
    this.#indexes.set(task.id, index)
    this.#ownIndexes[index] = own.add(task)
  }

  /** The task with this id, of any owner. */
  get(id: string): Task | undefined {
    const index = this.#indexes.get(id)
    return index === undefined ? undefined : this.#all.at(index)
  }

  /**
   * Replaces a task with the result of `change`.
   * @returns the new task; undefined if no task has this id or `change` returned undefined
   */
  update(id: string, change: (task: Task) => Task | undefined): Task | undefined {
    const index = this.#indexes.get(id)
    if (index === undefined) return undefined
    const task = this.#all.at(index)
    const changed = change(task)
    if (changed === undefined) return undefined
    this.#all.set(index, changed)
    this.#owners.get(task.owner)?.set(this.#ownIndexes[index] as number, changed)
    return changed
  }

  /**
   * Deletes a task.
   * @returns the deleted task; undefined if no task has this id
   */
  delete(id: string): Task | undefined {
    const index = this.#indexes.get(id)
    if (index === undefined) return undefined
    const task = this.#all.at(index)
    const ownIndex = this.#ownIndexes[index] as number
    this.#indexes.delete(id)
    this.#all.delete(index)
    // The line may have removed its holes.
    this.#ownIndexes.length = Math.min(this.#ownIndexes.length, this.#all.last + 1)
    const own = this.#owners.get(task.owner)
    own?.delete(ownIndex)
    if (own?.isEmpty) this.#owners.delete(task.owner)
    return task
  }

  /** @returns undefined if `after` or `before` is not a task of the owner */
  list(query: ListQuery): TaskPage | undefined {
    const line = query.owner === undefined ? this.#all : this.#owners.get(query.owner)
    if (line === undefined)
      return (query.after ?? query.before) === undefined ? { tasks: [], hasMore: false } : undefined
    const found = this.#find(query, line)
    if (found === undefined) return undefined
    const { tasks, hasMore } = pageOf(found, query)
    // A page is in one order, whatever the direction of the search.
    return { tasks: query.before === undefined ? tasks : tasks.reverse(), hasMore }
  }

  /** All tasks, in the order of their creation. */
  all(): Iterable<Task> {
    return this.#all.onFrom(0, undefined)
  }

  /** The tasks in a state, in the order of their creation. */
  inState(status: Status): Iterable<Task> {
    return this.#all.onFrom(0, status)
  }

  /** Deletes all tasks. */
  clear(): void {
    this.#indexes = new Map()
    this.#owners = new Map()
    this.#all = this.#newLineOfAll()
    this.#ownIndexes = []
  }

  #newLineOfAll(): TaskLine {
    return new TaskLine(({ id }, from, to) => {
      this.#indexes.set(id, to)
      this.#ownIndexes[to] = this.#ownIndexes[from] as number
    })
  }

  #newLineOf(owner: string): TaskLine {
    const line = new TaskLine(({ id }, _, to) => {
      this.#ownIndexes[this.#indexes.get(id) as number] = to
    })
    this.#owners.set(owner, line)
    return line
  }

  /** The tasks in a state, starting next to the cursor; undefined if the cursor is not a task of the owner. */
  #find(query: ListQuery, line: TaskLine): Iterable<Task> | undefined {
    const { owner, after, before, status, ascending = false } = query
    const isOnward = ascending === (before === undefined)
    const id = before ?? after
    if (id === undefined) return isOnward ? line.onFrom(0, status) : line.backFrom(line.last, status)
    const indexInAll = this.#indexes.get(id)
    if (indexInAll === undefined) return undefined
    if (owner !== undefined && this.#all.at(indexInAll).owner !== owner) return undefined
    const index = owner === undefined ? indexInAll : (this.#ownIndexes[indexInAll] as number)
    return isOnward ? line.onFrom(index + 1, status) : line.backFrom(index - 1, status)
  }
}

function pageOf(found: Iterable<Task>, query: ListQuery): { tasks: Task[]; hasMore: boolean } {
  const tasks: Task[] = []
  let toSkip = query.skip ?? 0
  for (const task of found) {
    if (!matches(task, query)) continue
    if (toSkip > 0) {
      toSkip -= 1
      continue
    }
    if (tasks.length === query.limit) return { tasks, hasMore: true }
    tasks.push(task)
  }
  return { tasks, hasMore: false }
}

function matches(task: Task, query: ListQuery): boolean {
  if (query.dialect !== undefined && task.dialect !== query.dialect) return false
  if (query.model !== undefined && task.model !== query.model) return false
  return query.matches === undefined || query.matches(task)
}

/** Which tasks to list, newest first by default. */
export interface ListQuery {
  /** The API key that created them; any key if undefined. */
  readonly owner?: string | undefined
  /** The wire format in which they were created; any if undefined. */
  readonly dialect?: string | undefined
  /** Their state. */
  readonly status?: Status | undefined
  /** The exact id of their model. */
  readonly model?: string | undefined
  /** Whether the oldest task is the first one. */
  readonly ascending?: boolean | undefined
  /** The id of the last task of the previous page. */
  readonly after?: string | undefined
  /** The id of the first task of a page: lists the tasks before it. It excludes `after`. */
  readonly before?: string | undefined
  /** How many of the first tasks to skip. */
  readonly skip?: number | undefined
  /** The maximum number of tasks to return. */
  readonly limit: number
  /** Any further condition. */
  readonly matches?: ((task: Task) => boolean) | undefined
}

/** One page of tasks. */
export interface TaskPage {
  /** In the order of the query. */
  readonly tasks: readonly Task[]
  /** Whether further tasks follow; with `before`, whether further ones precede. */
  readonly hasMore: boolean
}
