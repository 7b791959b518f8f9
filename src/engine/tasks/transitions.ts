import { type Awaitable, after, isPromise } from '../awaitable.js'
import { type Job, type SavedJob, savedJob } from '../clock/schedule.js'
import type { Time } from '../clock/time.js'
import type { Events } from '../events.js'
import { type Ending, end, start } from './lifecycle.js'
import { endingOf, type TaskResults } from './results.js'
import { isTerminal, type Plan, plannedEndOf, type Task } from './task.js'
import type { TaskStore } from './task-store.js'

/** What is saved of the transitions of a task. */
export interface SavedTransitions {
  /** The scheduled end of its queueing time. */
  readonly start?: SavedJob | undefined
  /** The scheduled end. */
  readonly end?: SavedJob | undefined
  /** The counted polls. */
  readonly polls?: number | undefined
  readonly held?: boolean | undefined
}

/** Starts tasks, and ends them: as planned, after a time or at a poll, or when somebody asks for it. */
export class Transitions {
  readonly #time: Pick<Time, 'clock' | 'schedule' | 'inFlight'>
  readonly #store: TaskStore
  readonly #events: Events
  readonly #results: TaskResults
  readonly #onEnd: (task: Task, at: number) => void
  /** The job that starts or ends a task, by id. A task has at most one. */
  readonly #jobs = new Map<string, Job>()
  /** The number of polls of tasks that end at a poll, or are stuck until they are canceled, by id. */
  readonly #polls = new Map<string, number>()
  readonly #held = new Set<string>()
  /** Changes with each reset, so that an interrupted operation changes nothing after the reset. */
  #generation = 0

  /** @param onEnd called with each task that has just ended, and when, in epoch milliseconds */
  constructor({
    time,
    store,
    events,
    results,
    onEnd,
  }: {
    time: Pick<Time, 'clock' | 'schedule' | 'inFlight'>
    store: TaskStore
    events: Events
    results: TaskResults
    onEnd: (task: Task, at: number) => void
  }) {
    this.#time = time
    this.#store = store
    this.#events = events
    this.#results = results
    this.#onEnd = onEnd
  }

  /**
   * Starts a queued task that got a slot, or schedules its start.
   * @param at when it got the slot, in epoch milliseconds
   */
  scheduleStart({ id, plan: { queueing }, createdAt }: Task, at: number): void {
    if (queueing === 0) {
      this.#start(at, id)
      return
    }
    this.#jobs.set(id, this.#time.schedule.at(Math.max(at, createdAt) + queueing, this.#start, id))
    this.#events.emit('task.scheduled', id)
  }

  /** Whether the start or the end of a task is scheduled. */
  isScheduled(id: string): boolean {
    return this.#jobs.has(id)
  }

  /**
   * Schedules the end of a processing task, if it ends after a time.
   * @param earliest the earliest end, in epoch milliseconds
   */
  scheduleEnd(task: Task, earliest = task.createdAt): void {
    const { id } = task
    const at = plannedEndOf(task)
    if (at === undefined || this.#held.has(id)) return
    this.#jobs.set(id, this.#time.schedule.at(Math.max(at, earliest), this.#endAsPlanned, id))
  }

  /**
   * Counts a poll of a task, and ends the task if its plan requires that.
   * @returns the task after the poll; a promise only if the task ends
   */
  poll(task: Task): Awaitable<Task> {
    const { id, status, plan } = task
    if (status !== 'processing' || !('polls' in plan.end)) return task
    if (!this.#held.has(id)) {
      const polls = (this.#polls.get(id) ?? 0) + 1
      this.#polls.set(id, polls)
      if (polls >= plan.end.polls && plan.outcome !== 'stuck')
        return after(this.#endAsPlanned(this.#time.clock.now(), id), () => this.#store.get(id) ?? task)
    }
    this.#events.emit('task.polled', task)
    return task
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#polls.get(id)
  }

  /** Prevents a task from ending as planned until {@link release}. */
  hold({ id, status }: Task): void {
    this.#held.add(id)
    if (status === 'processing') this.#cancelJob(id)
    this.#events.emit('task.held', id)
  }

  /** Ends a hold: the task ends as planned, or now if its planned end has passed. @returns false if it was not held */
  release(task: Task): boolean {
    if (!this.#held.delete(task.id)) return false
    if (task.status === 'processing') this.scheduleEnd(task, this.#time.clock.now())
    this.#events.emit('task.released', task.id)
    return true
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#held.has(id)
  }

  /**
   * Ends a task now. An advance of the clock waits until it has ended, because the code that produces its result may have
   * to be loaded first.
   * @param outcome the outcome and its error; the planned ones by default
   * @returns the ended task; undefined if it had already ended
   */
  finish(id: string, outcome?: Pick<Plan, 'outcome' | 'error'>): Promise<Task | undefined> {
    const finished = this.#finish(id, outcome)
    this.#time.inFlight.track(finished)
    return finished
  }

  /** Ends a task. @param at epoch milliseconds @returns the ended task; undefined if it had already ended */
  end(id: string, ending: Ending, at: number): Task | undefined {
    const ended = this.#store.update(id, (task) => end(task, ending, at, this.#polls.get(id)))
    if (ended === undefined) return undefined
    this.#results.forget(id)
    this.#cancelJob(id)
    this.#polls.delete(id)
    this.#held.delete(id)
    this.#onEnd(ended, at)
    return ended
  }

  /** What is to be saved of a task. */
  saved({ id, status }: Task): SavedTransitions {
    const job = savedJob(this.#jobs.get(id))
    const isQueued = status === 'queued'
    return {
      polls: this.#polls.get(id),
      held: this.#held.has(id) || undefined,
      end: isQueued ? undefined : job,
      start: isQueued ? job : undefined,
    }
  }

  /** Restores what was saved of a task. */
  restore(id: string, { start, end, polls, held }: SavedTransitions): void {
    const { schedule } = this.#time
    if (polls !== undefined) this.#polls.set(id, polls)
    if (held) this.#held.add(id)
    if (end !== undefined) this.#jobs.set(id, schedule.restore(end, this.#endAsPlanned, id))
    if (start !== undefined) this.#jobs.set(id, schedule.restore(start, this.#start, id))
  }

  /** Forgets all tasks, and interrupts all operations. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#generation += 1
    this.#jobs.clear()
    this.#polls.clear()
    this.#held.clear()
    this.#results.clear()
  }

  readonly #start = (at: number, id: string): void => {
    this.#cancelJob(id)
    const started = this.#store.update(id, (task) => start(task, at))
    if (started === undefined) return
    this.scheduleEnd(started)
    this.#events.emit('task.started', started, started.startedAt ?? at)
  }

  readonly #endAsPlanned = (at: number, id: string): Awaitable<unknown> => {
    const task = this.#store.get(id)
    if (task === undefined || isTerminal(task.status)) return undefined
    const ending = this.#endingOf(task)
    return isPromise(ending) ? this.#endLater(id, ending, at) : this.end(id, ending, at)
  }

  async #endLater(id: string, pending: PromiseLike<Ending>, at: number): Promise<void> {
    const generation = this.#generation
    const ending = await pending
    if (generation === this.#generation) this.end(id, ending, at)
  }

  async #finish(id: string, outcome: Pick<Plan, 'outcome' | 'error'> | undefined): Promise<Task | undefined> {
    const generation = this.#generation
    const task = this.#store.get(id)
    if (task === undefined || isTerminal(task.status)) return undefined
    const ending = await this.#endingOf({ ...task, plan: { ...task.plan, ...outcome } })
    return generation === this.#generation ? this.end(id, ending, this.#time.clock.now()) : undefined
  }

  #endingOf(task: Task): Awaitable<Ending> {
    return endingOf(task, this.#results, (problem) => this.#events.emit('error', problem))
  }

  #cancelJob(id: string): void {
    this.#jobs.get(id)?.cancel()
    this.#jobs.delete(id)
  }
}
