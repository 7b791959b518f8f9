import type { SavedJob } from '../clock/schedule.js'
import type { Events } from '../events.js'
import { start } from './lifecycle.js'
import type { Task } from './task.js'
import type { TaskJobs } from './task-jobs.js'
import type { TaskStore } from './task-store.js'

/** The parts that {@link TaskStarts} needs. */
interface TaskStartsParts {
  /** The jobs of the tasks. */
  readonly jobs: TaskJobs
  /** Stores the tasks. */
  readonly store: TaskStore
  /** Receives the events of tasks. */
  readonly events: Events
}

/** Starts queued tasks that have a place in the capacity, once their queueing time has passed. */
export class TaskStarts {
  readonly #parts: TaskStartsParts
  readonly #begin: (task: Task) => void

  /** @param begin schedules what a task does after its start */
  constructor(parts: TaskStartsParts, begin: (task: Task) => void) {
    this.#parts = parts
    this.#begin = begin
  }

  /**
   * Starts a queued task that got a place, or schedules its start.
   * @param at when it got the place, in epoch milliseconds
   */
  place({ id, plan: { queueing }, createdAt }: Task, at: number): void {
    if (queueing === 0) {
      this.#start(id, at)
      return
    }
    const { jobs, events } = this.#parts
    jobs.add(id, Math.max(at, createdAt) + queueing, this.#run)
    events.emit('task.placed', id)
  }

  /** Restores the scheduled start of a task. */
  restore(id: string, start: SavedJob): void {
    this.#parts.jobs.restore(id, start, this.#run)
  }

  readonly #run = (due: number, id: string): void => {
    this.#parts.jobs.cancel(id)
    this.#start(id, due)
  }

  #start(id: string, at: number): void {
    const { store, events } = this.#parts
    const started = store.update(id, (task) => start(task, at))
    if (started === undefined) return
    this.#begin(started)
    events.emit('task.started', started, started.startedAt ?? at)
  }
}
