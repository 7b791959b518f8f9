import type { Awaitable } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { SavedJob } from '../clock/schedule.js'
import type { Events } from '../events.js'
import type { Task } from './task.js'
import type { TaskJobs } from './task-jobs.js'

/** The parts that {@link PlannedEnds} needs. */
export interface PlannedEndsParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The jobs of the tasks. */
  readonly jobs: TaskJobs
  /** Receives the events of tasks. */
  readonly events: Events
}

/** What is saved of the end of a task. */
export interface SavedEnd {
  /** The scheduled end. */
  readonly end?: SavedJob | undefined
  /** The counted polls. */
  readonly polls?: number | undefined
  readonly held?: boolean | undefined
}

/** When a processing task ends, in epoch milliseconds; undefined if it never ends, or ends at a poll. */
export function plannedEndOf({
  plan,
  createdAt,
  startedAt = createdAt,
}: Pick<Task, 'plan' | 'createdAt' | 'startedAt'>): number | undefined {
  return plan.outcome === 'stuck' || 'polls' in plan.end ? undefined : startedAt + plan.end.after
}

/** Ends tasks as planned, after a time or at a poll, unless they are held. */
export class PlannedEnds {
  readonly #parts: PlannedEndsParts
  readonly #end: (at: number, id: string) => Awaitable<unknown>
  /** The number of polls of tasks that end at a poll, or are stuck until they are canceled, by id. */
  readonly #polls = new Map<string, number>()
  readonly #held = new Set<string>()

  /** @param end ends a task at an instant, in epoch milliseconds */
  constructor(parts: PlannedEndsParts, end: (at: number, id: string) => Awaitable<unknown>) {
    this.#parts = parts
    this.#end = end
  }

  /**
   * Schedules the end of a processing task, if it ends after a time.
   * @param earliest the earliest end, in epoch milliseconds
   */
  schedule(task: Task, earliest = task.createdAt): void {
    const { id } = task
    const at = plannedEndOf(task)
    if (at === undefined || this.#held.has(id)) return
    this.#parts.jobs.add(id, Math.max(at, earliest), this.#end)
  }

  /** Counts a poll of a task. @returns whether the task ends at this poll */
  countPoll(task: Task): boolean {
    const { id, status, plan } = task
    if (status !== 'processing' || !('polls' in plan.end)) return false
    if (!this.#held.has(id)) {
      const polls = (this.#polls.get(id) ?? 0) + 1
      this.#polls.set(id, polls)
      if (polls >= plan.end.polls && plan.outcome !== 'stuck') return true
    }
    this.#parts.events.emit('task.polled', task)
    return false
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#polls.get(id)
  }

  /** Prevents a task from ending as planned until {@link release}. */
  hold({ id, status }: Task): void {
    this.#held.add(id)
    if (status === 'processing') this.#parts.jobs.cancel(id)
    this.#parts.events.emit('task.held', id)
  }

  /** Ends a hold: the task ends as planned, or now if its planned end has passed. @returns false if it was not held */
  release(task: Task): boolean {
    if (!this.#held.delete(task.id)) return false
    if (task.status === 'processing') this.schedule(task, this.#parts.clock.now())
    this.#parts.events.emit('task.released', task.id)
    return true
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#held.has(id)
  }

  /** What is to be saved of the end of a task, beside its job. */
  saved(id: string): Omit<SavedEnd, 'end'> {
    return {
      polls: this.#polls.get(id),
      held: this.#held.has(id) || undefined,
    }
  }

  /** Restores what was saved of a task. */
  restore(id: string, { end, polls, held }: SavedEnd): void {
    if (polls !== undefined) this.#polls.set(id, polls)
    if (held) this.#held.add(id)
    if (end !== undefined) this.#parts.jobs.restore(id, end, this.#end)
  }

  /** Forgets a task that has ended. */
  forget(id: string): void {
    this.#polls.delete(id)
    this.#held.delete(id)
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#polls.clear()
    this.#held.clear()
  }
}
