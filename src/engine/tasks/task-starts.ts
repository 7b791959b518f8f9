import { type Awaitable, after } from '../awaitable.js'
import type { Job, Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import { start } from './lifecycle.js'
import type { TaskStore } from './store.js'
import type { Task } from './task.js'

/** The parts that {@link TaskStarts} needs. */
interface TaskStartsParts {
  /** The jobs on the simulator's clock. */
  readonly schedule: Schedule
  /** Stores the tasks. */
  readonly store: TaskStore
  /** Receives the events of tasks. */
  readonly events: Events
}

/** Starts queued tasks that have a place in the capacity, once their queueing time has passed. */
export class TaskStarts {
  readonly #parts: TaskStartsParts
  readonly #begin: (task: Task) => void
  /** The scheduled starts, by the id of the task. */
  #jobs = new Map<string, Job>()

  /** @param begin schedules what a task does after its start */
  constructor(parts: TaskStartsParts, begin: (task: Task) => void) {
    this.#parts = parts
    this.#begin = begin
  }

  /**
   * Starts a queued task that got a place, or schedules its start.
   * @param at when it got the place, in epoch milliseconds
   */
  place({ id, plan: { queueing }, createdAt }: Task, at: number): Awaitable<void> {
    if (queueing === 0) return this.#start(id, at)
    const run = (due: number) => {
      this.#jobs.delete(id)
      return this.#start(id, due)
    }
    this.#jobs.set(id, this.#parts.schedule.at(Math.max(at, createdAt) + queueing, run))
  }

  /** Whether a queued task has a place and will start after its queueing time. */
  has(id: string): boolean {
    return this.#jobs.has(id)
  }

  /** Forgets a task that has ended. */
  forget(id: string): void {
    this.#jobs.get(id)?.cancel()
    this.#jobs.delete(id)
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#jobs = new Map()
  }

  #start(id: string, at: number): Awaitable<void> {
    const { store, events } = this.#parts
    const jobs = this.#jobs
    // Emit synchronously after the update, so that no listener receives an end before the start.
    return after(
      store.update(id, (task) => start(task, at)),
      (started) => {
        // A different map means that all tasks were forgotten meanwhile.
        if (started === undefined || jobs !== this.#jobs) return
        this.#begin(started)
        events.emit('task.started', started, started.startedAt ?? at)
      },
    )
  }
}
