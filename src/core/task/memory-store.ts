import type { ListQuery, TaskPage, TaskStore } from './store.js'
import type { Task } from './task.js'

interface Entry {
  task: Task
  /** Its place in the owner's list, and in that of all. */
  readonly place: number
  readonly placeInAll: number
}

/** Keeps tasks in the process. Every access costs the same, however many there are; a page costs its length. */
export class MemoryStore implements TaskStore {
  #entries = new Map<string, Entry>()
  #owners = new Map<string, Entry[]>()
  #all: Entry[] = []

  add(task: Task): void {
    const own = this.#owners.get(task.owner)
    const entry = { task, place: own?.length ?? 0, placeInAll: this.#all.length }
    this.#all.push(entry)
    if (own === undefined) this.#owners.set(task.owner, [entry])
    else own.push(entry)
    this.#entries.set(task.id, entry)
  }

  get(id: string): Task | undefined {
    return this.#entries.get(id)?.task
  }

  update(id: string, change: (task: Task) => Task | undefined): Task | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    const changed = change(entry.task)
    if (changed !== undefined) entry.task = changed
    return changed
  }

  list(query: ListQuery): TaskPage | undefined {
    const own = query.owner === undefined ? this.#all : (this.#owners.get(query.owner) ?? [])
    const start = this.#placeBefore(query, own.length)
    if (start === undefined) return undefined
    const tasks: Task[] = []
    for (let place = start; place >= 0; place--) {
      const task = own[place]?.task
      if (task === undefined || !matches(task, query)) continue
      if (tasks.length === query.limit) return { tasks, hasMore: true }
      tasks.push(task)
    }
    return { tasks, hasMore: false }
  }

  clear(): void {
    this.#entries = new Map()
    this.#owners = new Map()
    this.#all = []
  }

  #placeBefore(query: ListQuery, length: number): number | undefined {
    if (query.after === undefined) return length - 1
    const cursor = this.#entries.get(query.after)
    if (query.owner === undefined) return cursor && cursor.placeInAll - 1
    return cursor?.task.owner === query.owner ? cursor.place - 1 : undefined
  }
}

function matches(task: Task, query: ListQuery): boolean {
  if (query.status !== undefined && task.status !== query.status) return false
  if (query.model !== undefined && task.model !== query.model) return false
  return query.matches === undefined || query.matches(task)
}
