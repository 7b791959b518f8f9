import type { ListQuery, TaskPage, TaskStore } from './store.js'
import { STATUSES, type Status, type Task } from './task.js'

interface Entry {
  task: Task
  /** Its place in the owner's list, and in that of all. */
  readonly place: number
  readonly placeInAll: number
}

/** Tasks in the order in which they came. */
class Line {
  readonly #entries: Entry[] = []
  /** The state of each, as one byte: a million of them are looked through within a millisecond. */
  #states = new Uint8Array(16)

  get length(): number {
    return this.#entries.length
  }

  add(entry: Entry): void {
    if (this.length === this.#states.length) this.#grow()
    this.mark(this.length, entry.task.status)
    this.#entries.push(entry)
  }

  /** Notes the state that a task is in. */
  mark(place: number, status: Status): void {
    this.#states[place] = STATUSES.indexOf(status)
  }

  /** The tasks from a place to the oldest, those in a state alone where one is given. */
  *back(start: number, status: Status | undefined): Generator<Task> {
    for (let place = this.#at(start, status); place >= 0; place = this.#at(place - 1, status)) {
      const task = this.#entries[place]?.task
      if (task !== undefined) yield task
    }
  }

  /** The nearest place, from this one on, of a task in this state. */
  #at(place: number, status: Status | undefined): number {
    // To `lastIndexOf`, a negative place would be one from the end.
    if (status === undefined || place < 0) return place
    return this.#states.lastIndexOf(STATUSES.indexOf(status), place)
  }

  #grow(): void {
    const larger = new Uint8Array(this.#states.length * 2)
    larger.set(this.#states)
    this.#states = larger
  }
}

/**
 * Keeps tasks in the process. Every access costs the same, however many there are; a page costs its length, and one of
 * a rare state a byte for each task that it passes over.
 */
export class MemoryStore implements TaskStore {
  #entries = new Map<string, Entry>()
  #owners = new Map<string, Line>()
  #all = new Line()

  add(task: Task): void {
    const own = this.#owners.get(task.owner) ?? new Line()
    const entry = { task, place: own.length, placeInAll: this.#all.length }
    this.#owners.set(task.owner, own)
    own.add(entry)
    this.#all.add(entry)
    this.#entries.set(task.id, entry)
  }

  get(id: string): Task | undefined {
    return this.#entries.get(id)?.task
  }

  update(id: string, change: (task: Task) => Task | undefined): Task | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    const changed = change(entry.task)
    if (changed === undefined) return undefined
    entry.task = changed
    this.#all.mark(entry.placeInAll, changed.status)
    this.#owners.get(changed.owner)?.mark(entry.place, changed.status)
    return changed
  }

  list(query: ListQuery): TaskPage | undefined {
    const line = query.owner === undefined ? this.#all : (this.#owners.get(query.owner) ?? new Line())
    const start = this.#placeBefore(query, line.length)
    if (start === undefined) return undefined
    const tasks: Task[] = []
    for (const task of line.back(start, query.status)) {
      if (!matches(task, query)) continue
      if (tasks.length === query.limit) return { tasks, hasMore: true }
      tasks.push(task)
    }
    return { tasks, hasMore: false }
  }

  clear(): void {
    this.#entries = new Map()
    this.#owners = new Map()
    this.#all = new Line()
  }

  #placeBefore(query: ListQuery, length: number): number | undefined {
    if (query.after === undefined) return length - 1
    const cursor = this.#entries.get(query.after)
    if (query.owner === undefined) return cursor && cursor.placeInAll - 1
    return cursor?.task.owner === query.owner ? cursor.place - 1 : undefined
  }
}

function matches(task: Task, query: ListQuery): boolean {
  if (query.model !== undefined && task.model !== query.model) return false
  return query.matches === undefined || query.matches(task)
}
