import type { ListQuery, TaskPage } from './list-query.js'
import { STATUSES, type Status, type Task } from './task.js'

interface Entry {
  task: Task
  /** The index in the owner's line, and in the line of all tasks. */
  place: number
  placeInAll: number
}

/** The state byte of a deleted task. */
const NONE = STATUSES.length
const MIN_CAPACITY = 16

/** Tasks in the order of their creation. */
class Line {
  readonly #name: 'place' | 'placeInAll'
  /** Deleted tasks leave holes. There are never more holes than tasks. */
  #entries: (Entry | undefined)[] = []
  #holes = 0
  /** The state of each task as one byte, so that a search through a million tasks takes less than a millisecond. */
  #states = new Uint8Array(MIN_CAPACITY)

  /** @param name the field with the index of an entry in this line */
  constructor(name: 'place' | 'placeInAll') {
    this.#name = name
  }

  get isEmpty(): boolean {
    return this.#entries.length === this.#holes
  }

  /** The index of the newest task. */
  get last(): number {
    return this.#entries.length - 1
  }

  add(entry: Entry): void {
    entry[this.#name] = this.#entries.push(entry) - 1
    if (this.last === this.#states.length) this.#grow()
    this.mark(entry)
  }

  /** Updates the state of a task. */
  mark(entry: Entry): void {
    this.#states[entry[this.#name]] = STATUSES.indexOf(entry.task.status)
  }

  delete(entry: Entry): void {
    const place = entry[this.#name]
    this.#entries[place] = undefined
    this.#states[place] = NONE
    this.#holes += 1
    if (this.#holes > MIN_CAPACITY && this.#holes * 2 > this.#entries.length) this.#removeHoles()
  }

  /** The tasks from an index back to the oldest, optionally only those in one state. */
  *backFrom(start: number, status: Status | undefined): Generator<Task> {
    for (let place = this.#at(start, status); place >= 0; place = this.#at(place - 1, status)) {
      const task = this.#entries[place]?.task
      if (task !== undefined) yield task
    }
  }

  /** The nearest index, from this one back, of a task in this state. */
  #at(place: number, status: Status | undefined): number {
    // `lastIndexOf` counts a negative index from the end.
    if (status === undefined || place < 0) return place
    return this.#states.lastIndexOf(STATUSES.indexOf(status), place)
  }

  /** The tasks from an index on to the newest, optionally only those in one state. */
  *onFrom(start: number, status: Status | undefined): Generator<Task> {
    const state = status === undefined ? undefined : STATUSES.indexOf(status)
    for (let place = start; place <= this.last; place++) {
      if (state !== undefined) place = this.#states.indexOf(state, place)
      // The bytes after the last task are those of a state, too.
      if (place === -1 || place > this.last) return
      const task = this.#entries[place]?.task
      if (task !== undefined) yield task
    }
  }

  /** Removes the holes. The cost is proportional to their number. */
  #removeHoles(): void {
    const left = this.#entries.filter((entry) => entry !== undefined)
    this.#entries = []
    this.#holes = 0
    this.#states = new Uint8Array(Math.max(MIN_CAPACITY, 2 * left.length))
    for (const entry of left) this.add(entry)
  }

  #grow(): void {
    const larger = new Uint8Array(this.#states.length * 2)
    larger.set(this.#states)
    this.#states = larger
  }
}

/**
 * Stores tasks in the memory of the process. The cost of an access does not depend on the number of tasks. A page costs
 * its length; a filter by state costs one byte per skipped task.
 */
export class TaskStore {
  #entries = new Map<string, Entry>()
  #owners = new Map<string, Line>()
  #all = new Line('placeInAll')

  /** Adds a task with a new id. */
  add(task: Task): void {
    const own = this.#owners.get(task.owner) ?? new Line('place')
    const entry = { task, place: 0, placeInAll: 0 }
    this.#owners.set(task.owner, own)
    own.add(entry)
    this.#all.add(entry)
    this.#entries.set(task.id, entry)
  }

  /** The task with this id, of any owner. */
  get(id: string): Task | undefined {
    return this.#entries.get(id)?.task
  }

  /**
   * Replaces a task with the result of `change`.
   * @returns the new task; undefined if no task has this id or `change` returned undefined
   */
  update(id: string, change: (task: Task) => Task | undefined): Task | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    const changed = change(entry.task)
    if (changed === undefined) return undefined
    entry.task = changed
    this.#all.mark(entry)
    this.#owners.get(changed.owner)?.mark(entry)
    return changed
  }

  /**
   * Deletes a task.
   * @returns the deleted task; undefined if no task has this id
   */
  delete(id: string): Task | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    const { task } = entry
    this.#entries.delete(id)
    this.#all.delete(entry)
    const own = this.#owners.get(task.owner)
    own?.delete(entry)
    if (own?.isEmpty) this.#owners.delete(task.owner)
    return task
  }

  /** @returns undefined if `after` or `before` is not a task of the owner */
  list(query: ListQuery): TaskPage | undefined {
    const line = query.owner === undefined ? this.#all : (this.#owners.get(query.owner) ?? new Line('place'))
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
    this.#entries = new Map()
    this.#owners = new Map()
    this.#all = new Line('placeInAll')
  }

  /** The tasks in a state, starting next to the cursor; undefined if the cursor is not a task of the owner. */
  #find(query: ListQuery, line: Line): Iterable<Task> | undefined {
    const { owner, after, before, status, ascending = false } = query
    const isOnward = ascending === (before === undefined)
    const id = before ?? after
    if (id === undefined) return isOnward ? line.onFrom(0, status) : line.backFrom(line.last, status)
    const cursor = this.#entries.get(id)
    if (cursor === undefined || (owner !== undefined && cursor.task.owner !== owner)) return undefined
    const place = owner === undefined ? cursor.placeInAll : cursor.place
    return isOnward ? line.onFrom(place + 1, status) : line.backFrom(place - 1, status)
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
