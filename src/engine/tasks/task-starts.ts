import { type Job, type SavedJob, type Schedule, savedJob } from '../clock/schedule.js'
import type { Events } from '../events.js'
import { start } from './lifecycle.js'
import type { Task } from './task.js'
import type { TaskStore } from './task-store.js'

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
  readonly #jobs = new Map<string, Job>()

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
    const { schedule, events } = this.#parts
    this.#jobs.set(id, schedule.at(Math.max(at, createdAt) + queueing, this.#run, id))
    events.emit('task.placed', id)
  }

  /** The scheduled start of a task, to be saved; undefined if none is scheduled. */
  savedStart(id: string): SavedJob | undefined {
    return savedJob(this.#jobs.get(id))
  }

  /** Restores the scheduled start of a task. */
  restore(id: string, start: SavedJob): void {
    this.#jobs.set(id, this.#parts.schedule.restore(start, this.#run, id))
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
    this.#jobs.clear()
  }

  readonly #run = (due: number, id: string): void => {
    this.#jobs.delete(id)
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
