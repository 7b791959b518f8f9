import type { Awaitable } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import { FollowedTasks } from '../progress/followed-tasks.js'
import { TaskProgress } from '../progress/task-progress.js'
import type { Kinds } from './kinds.js'
import { PlannedEnds } from './planned-ends.js'
import type { Task } from './task.js'

/** The parts that {@link RunningTasks} needs. */
export interface RunningTasksParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The jobs on that clock. */
  readonly schedule: Schedule
  /** Receives the events of tasks. */
  readonly events: Events
  /** Produces the results of tasks. */
  readonly kinds: Kinds
}

/** Carries out the plans of the tasks that are running: their progress, their reports and their ends. */
export class RunningTasks {
  /** Shows tasks as they are now. */
  readonly progress: TaskProgress
  readonly #parts: RunningTasksParts
  readonly #ends: PlannedEnds
  readonly #followed: FollowedTasks

  /** @param end ends a task at an instant, in epoch milliseconds */
  constructor(parts: RunningTasksParts, end: (id: string, at: number) => Awaitable<unknown>) {
    this.#parts = parts
    this.#ends = new PlannedEnds(parts.schedule, end)
    this.progress = new TaskProgress({ ...parts, pollsOf: (id) => this.#ends.pollsOf(id) })
    this.#followed = new FollowedTasks({ ...parts, progress: this.progress })
  }

  /** Schedules what a task does after its start. */
  begin(task: Task): void {
    this.#ends.schedule(task)
    if (task.follow === undefined) return
    this.#followed.start(task)
    if (this.#ends.isHeld(task.id)) this.#followed.pause(task.id)
  }

  /** Counts a poll of a task. @returns whether the task ends at this poll */
  countPoll(task: Task): boolean {
    if (!('polls' in task.plan.end)) return false
    if (this.#ends.countPoll(task)) return true
    if (task.status === 'processing') {
      this.#followed.polled(task.id)
      this.#parts.events.emit('task.polled', task)
    }
    return false
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#ends.pollsOf(id)
  }

  /** Prevents a task from ending as planned until {@link release}. */
  hold(id: string): void {
    this.#ends.hold(id)
    this.#followed.pause(id)
  }

  /** Ends a hold: the task ends as planned, or now if its planned end has passed. @returns false if it was not held */
  release(task: Task): boolean {
    if (!this.#ends.release(task.id)) return false
    if (task.status === 'processing') this.#ends.schedule(task, this.#parts.clock.now())
    this.#followed.resume(task.id)
    return true
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#ends.isHeld(id)
  }

  /** Forgets a task that has ended. */
  forget(task: Task): void {
    this.#ends.forget(task.id)
    this.#followed.forget(task.id)
    this.progress.forget(task)
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#ends.clear()
    this.#followed.clear()
  }
}
