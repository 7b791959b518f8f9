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
    const index = this.#tasks.length
    if (index === this.#states.length) this.#grow()
    this.set(index, task)
    return index
  }

  /** The task at an index, which must not be that of a deleted task. */
  at(index: number): Task {
    return this.#tasks[index] as Task
  }

  /** Replaces the task at an index. */
  set(index: number, task: Task): void {
    this.#tasks[index] = task
    this.#states[index] = STATUSES.indexOf(task.status)
  }

  delete(index: number): void {
    this.#tasks[index] = undefined
    this.#states[index] = NONE
    this.#holes += 1
    if (this.#holes > MIN_CAPACITY && this.#holes * 2 > this.#tasks.length) this.#removeHoles()
  }

  /** The tasks from an index back to the oldest, optionally only those in one state. */
  *backFrom(start: number, status: Status | undefined): Generator<Task> {
    for (let index = this.#at(start, status); index >= 0; index = this.#at(index - 1, status)) {
      const task = this.#tasks[index]
      if (task !== undefined) yield task
    }
  }

  /** The nearest index, from this one back, of a task in this state. */
  #at(index: number, status: Status | undefined): number {
    // `lastIndexOf` counts a negative index from the end.
    if (status === undefined || index < 0) return index
    return this.#states.lastIndexOf(STATUSES.indexOf(status), index)
  }

  /** The tasks from an index on to the newest, optionally only those in one state. */
  *onFrom(start: number, status: Status | undefined): Generator<Task> {
    const state = status === undefined ? undefined : STATUSES.indexOf(status)
    for (let index = start; index <= this.last; index++) {
      if (state !== undefined) index = this.#states.indexOf(state, index)
      // The bytes after the last task are those of a state, too.
      if (index === -1 || index > this.last) return
      const task = this.#tasks[index]
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
