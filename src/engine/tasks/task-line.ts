import { STATUSES, type Status, type Task } from './task.js'

/** The state byte of a deleted task. */
const NONE = STATUSES.length
const MIN_CAPACITY = 16

/** Records that a task has moved in a line, from one index to another. */
type OnMove = (task: Task, from: number, to: number) => void

/** Tasks in the order of their creation, each at an index. */
export class TaskLine {
  readonly #onMove: OnMove
  /** Deleted tasks leave holes. There are never more holes than tasks. */
  #tasks: (Task | undefined)[] = []
  #holes = 0
  /** The state of each task as one byte, so that a search through a million tasks takes less than a millisecond. */
  #states = new Uint8Array(MIN_CAPACITY)

  constructor(onMove: OnMove) {
    this.#onMove = onMove
  }

  get isEmpty(): boolean {
    return this.#tasks.length === this.#holes
  }

  /** The index of the newest task. */
  get last(): number {
    return this.#tasks.length - 1
  }

  /** @returns the index of the task */
  add(task: Task): number {
    const place = this.#tasks.length
    if (place === this.#states.length) this.#grow()
    this.set(place, task)
    return place
  }

  /** The task at an index, which must not be that of a deleted task. */
  at(place: number): Task {
    return this.#tasks[place] as Task
  }

  /** Replaces the task at an index. */
  set(place: number, task: Task): void {
    this.#tasks[place] = task
    this.#states[place] = STATUSES.indexOf(task.status)
  }

  delete(place: number): void {
    this.#tasks[place] = undefined
    this.#states[place] = NONE
    this.#holes += 1
    if (this.#holes > MIN_CAPACITY && this.#holes * 2 > this.#tasks.length) this.#removeHoles()
  }

  /** The tasks from an index back to the oldest, optionally only those in one state. */
  *backFrom(start: number, status: Status | undefined): Generator<Task> {
    for (let place = this.#at(start, status); place >= 0; place = this.#at(place - 1, status)) {
      const task = this.#tasks[place]
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
      const task = this.#tasks[place]
      if (task !== undefined) yield task
    }
  }

  /** Removes the holes. The cost is proportional to their number, because there are more holes than tasks. */
  #removeHoles(): void {
    const earlier = this.#tasks
    this.#states = new Uint8Array(Math.max(MIN_CAPACITY, 2 * (earlier.length - this.#holes)))
    this.#tasks = []
    this.#holes = 0
    for (const [from, task] of earlier.entries())
      if (task !== undefined) this.#onMove(task, from, this.add(task))
  }

  #grow(): void {
    const larger = new Uint8Array(this.#states.length * 2)
    larger.set(this.#states)
    this.#states = larger
  }
}
