import type { Awaitable } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import { PlannedEnds, type SavedEnd } from './planned-ends.js'
import type { Task } from './task.js'

/** The parts that {@link RunningTasks} needs. */
export interface RunningTasksParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The jobs on that clock. */
  readonly schedule: Schedule
  /** Receives the events of tasks. */
  readonly events: Events
}

/** Carries out the plans of the tasks that are running: it counts their polls, and ends them. */
export class RunningTasks {
  readonly #parts: RunningTasksParts
  readonly #ends: PlannedEnds

  /** @param end ends a task at an instant, in epoch milliseconds */
  constructor(parts: RunningTasksParts, end: (id: string, at: number) => Awaitable<unknown>) {
    this.#parts = parts
    this.#ends = new PlannedEnds(parts.schedule, end)
  }

  /** Schedules what a task does after its start. */
  begin(task: Task): void {
    this.#ends.schedule(task)
  }

  /** Counts a poll of a task. @returns whether the task ends at this poll */
  countPoll(task: Task): boolean {
    if (!('polls' in task.plan.end)) return false
    if (this.#ends.countPoll(task)) return true
    if (task.status === 'processing') this.#parts.events.emit('task.polled', task)
    return false
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#ends.pollsOf(id)
  }

  /** What is to be saved of the end of a task. */
  saved(id: string): SavedEnd {
    return { end: this.#ends.savedEnd(id), polls: this.#ends.pollsOf(id), held: this.isHeld(id) || undefined }
  }

  /** Restores what was saved of a task. */
  restore(id: string, saved: SavedEnd): void {
    this.#ends.restore(id, saved)
  }

  /** Prevents a task from ending as planned until {@link release}. */
  hold(id: string): void {
    this.#ends.hold(id)
    this.#parts.events.emit('task.held', id)
  }

  /** Ends a hold: the task ends as planned, or now if its planned end has passed. @returns false if it was not held */
  release(task: Task): boolean {
    if (!this.#ends.release(task.id)) return false
    if (task.status === 'processing') this.#ends.schedule(task, this.#parts.clock.now())
    this.#parts.events.emit('task.released', task.id)
    return true
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#ends.isHeld(id)
  }

  /** Forgets a task that has ended. */
  forget(task: Task): void {
    this.#ends.forget(task.id)
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#ends.clear()
  }
}
