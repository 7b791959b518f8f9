import type { Awaitable } from '../awaitable.js'
import { type Job, type SavedJob, type Schedule, savedJob } from '../clock/schedule.js'
import type { Task } from './task.js'

/** What is saved of the end of a task. */
export interface SavedEnd {
  /** The scheduled end. */
  readonly end?: SavedJob | undefined
  /** The counted polls. */
  readonly polls?: number | undefined
  readonly held?: boolean | undefined
}

/** Ends tasks as planned, after a time or at a poll, unless they are held. */
export class PlannedEnds {
  readonly #schedule: Schedule
  readonly #end: (id: string, at: number) => Awaitable<unknown>
  /** The scheduled ends, by the id of the task. */
  readonly #jobs = new Map<string, Job>()
  /** The number of polls of tasks that end at a poll, or are stuck until they are canceled, by id. */
  readonly #polls = new Map<string, number>()
  readonly #held = new Set<string>()

  /** @param end ends a task at an instant, in epoch milliseconds */
  constructor(schedule: Schedule, end: (id: string, at: number) => Awaitable<unknown>) {
    this.#schedule = schedule
    this.#end = end
  }

  /**
   * Schedules the end of a processing task, if it ends after a time.
   * @param earliest the earliest end, in epoch milliseconds
   */
  schedule({ id, plan, createdAt, startedAt = createdAt }: Task, earliest = createdAt): void {
    if (plan.outcome === 'stuck' || 'polls' in plan.end || this.#held.has(id)) return
    const at = Math.max(startedAt + plan.end.after, earliest)
    this.#jobs.set(
      id,
      this.#schedule.at(at, (at) => this.#end(id, at)),
    )
  }

  /** The scheduled end of a task, to be saved; undefined if none is scheduled. */
  savedEnd(id: string): SavedJob | undefined {
    return savedJob(this.#jobs.get(id))
  }

  /** Restores what was saved of a task. */
  restore(id: string, { end, polls, held }: SavedEnd): void {
    if (polls !== undefined) this.#polls.set(id, polls)
    if (held) this.#held.add(id)
    if (end !== undefined)
      this.#jobs.set(
        id,
        this.#schedule.restore(end, (at) => this.#end(id, at)),
      )
  }

  /** Counts a poll of a task that ends at a poll. @returns whether the task ends at this poll */
  countPoll({ id, status, plan: { outcome, end } }: Task): boolean {
    if (!('polls' in end) || status !== 'processing' || this.#held.has(id)) return false
    const polls = (this.#polls.get(id) ?? 0) + 1
    this.#polls.set(id, polls)
    return polls >= end.polls && outcome !== 'stuck'
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#polls.get(id)
  }

  /** Prevents a task from ending as planned. */
  hold(id: string): void {
    this.#held.add(id)
    this.#cancel(id)
  }

  /** Ends a hold; the caller schedules the end again. @returns false if the task was not held */
  release(id: string): boolean {
    return this.#held.delete(id)
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#held.has(id)
  }

  /** Forgets a task that has ended. */
  forget(id: string): void {
    this.#cancel(id)
    this.#polls.delete(id)
    this.#held.delete(id)
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#jobs.clear()
    this.#polls.clear()
    this.#held.clear()
  }

  #cancel(id: string): void {
    this.#jobs.get(id)?.cancel()
    this.#jobs.delete(id)
  }
}
