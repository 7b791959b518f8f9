import type { ListQuery, TaskPage, TaskStore } from './store.js'
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
 * Keeps tasks in the memory of the process. The cost of an access does not depend on the number of tasks. A page costs
 * its length; a filter by state costs one byte per skipped task.
 */
export class MemoryStore implements TaskStore {
  #entries = new Map<string, Entry>()
  #owners = new Map<string, Line>()
  #all = new Line('placeInAll')

  add(task: Task): void {
    const own = this.#owners.get(task.owner) ?? new Line('place')
    const entry = { task, place: 0, placeInAll: 0 }
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
    this.#all.mark(entry)
    this.#owners.get(changed.owner)?.mark(entry)
    return changed
  }

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

  list(query: ListQuery): TaskPage | undefined {
    const line = query.owner === undefined ? this.#all : (this.#owners.get(query.owner) ?? new Line('place'))
    const start = this.#placeBefore(query, line)
    if (start === undefined) return undefined
    const tasks: Task[] = []
    let toSkip = query.skip ?? 0
    for (const task of line.backFrom(start, query.status)) {
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

  clear(): void {
    this.#entries = new Map()
    this.#owners = new Map()
    this.#all = new Line('placeInAll')
  }

  #placeBefore(query: ListQuery, { last }: Line): number | undefined {
    if (query.after === undefined) return last
    const cursor = this.#entries.get(query.after)
    if (query.owner === undefined) return cursor && cursor.placeInAll - 1
    return cursor?.task.owner === query.owner ? cursor.place - 1 : undefined
  }
}

function matches(task: Task, query: ListQuery): boolean {
  if (query.dialect !== undefined && task.dialect !== query.dialect) return false
  if (query.model !== undefined && task.model !== query.model) return false
  return query.matches === undefined || query.matches(task)
}
