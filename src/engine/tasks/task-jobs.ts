import type { Awaitable } from '../awaitable.js'
import { type SavedJob, type Schedule, savedJob } from '../clock/schedule.js'
import type { TaskStore } from './task-store.js'

/** Moves the task with an id to its next state. @param at when the job was due, in epoch milliseconds */
type Move = (at: number, id: string) => Awaitable<unknown>

/** The job of each task that moves it to its next state: it starts or ends. A task has at most one. */
export class TaskJobs {
  readonly #schedule: Schedule
  readonly #store: TaskStore

  constructor(schedule: Schedule, store: TaskStore) {
    this.#schedule = schedule
    this.#store = store
  }

  /** Schedules the job of a task that has none. @param at epoch milliseconds */
  add(id: string, at: number, move: Move): void {
    this.#store.replaceJob(id, this.#schedule.at(at, move, id))
  }

  /** Restores the job of a task of a simulator that was saved. */
  restore(id: string, job: SavedJob, move: Move): void {
    this.#store.replaceJob(id, this.#schedule.restore(job, move, id))
  }

  /** Whether a task has a job. */
  has(id: string): boolean {
    return this.#store.jobOf(id) !== undefined
  }

  /** What is to be saved of the job of a task; undefined if it has none. */
  saved(id: string): SavedJob | undefined {
    return savedJob(this.#store.jobOf(id))
  }

  /** Cancels the job of a task, if it has one, and forgets a job that has run. */
  cancel(id: string): void {
    this.#store.replaceJob(id, undefined)?.cancel()
  }
}
