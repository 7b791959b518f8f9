import type { Awaitable } from '../awaitable.js'
import type { SavedJob, Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import type { OccurrenceCounter } from '../occurrence-counter.js'
import type { CapacitySettings } from '../scenario/scenario.js'
import { Admission, type AdmissionParts } from './admission.js'
import type { EarlyResults } from './early-results.js'
import type { ListQuery, TaskPage } from './list-query.js'
import type { NewTask } from './new-task.js'
import { PlannedEnds, type SavedEnd } from './planned-ends.js'
import type { Planner } from './planner.js'
import { Retention } from './retention.js'
import { isTerminal, type Plan, type Task } from './task.js'
import { TaskEndings, type TaskEndingsParts } from './task-endings.js'
import { TaskJobs } from './task-jobs.js'
import { TaskStarts } from './task-starts.js'

/** The parts that {@link Engine} needs. */
export interface EngineParts extends AdmissionParts, TaskEndingsParts {
  /** The jobs on that clock. */
  readonly schedule: Schedule
  /** Receives the events of tasks. */
  readonly events: Events
  /** How many ended tasks to keep. */
  readonly keep: number
}

/** Creates tasks and moves them through their lifecycle on the clock. */
export class Engine {
  /** Whether any task was evicted, so that an unknown id may belong to an evicted task. */
  hasForgotten = false
  readonly #parts: EngineParts
  readonly #admission: Admission
  readonly #jobs: TaskJobs
  readonly #endings: TaskEndings
  readonly #ends: PlannedEnds
  readonly #starts: TaskStarts
  readonly #retention: Retention

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#admission = new Admission(parts)
    this.#jobs = new TaskJobs(parts.schedule, parts.store)
    const withJobs = { ...parts, jobs: this.#jobs }
    this.#endings = new TaskEndings(parts, {
      pollsOf: (id) => this.#ends.pollsOf(id),
      onEnd: (task, at) => this.#onEnd(task, at),
    })
    this.#ends = new PlannedEnds(withJobs, (at, id) => this.#endings.asPlanned(at, id))
    this.#starts = new TaskStarts(withJobs, (task) => this.#ends.schedule(task))
    this.#retention = new Retention({ ...parts, evict: (id) => this.#evict(id) })
  }

  /** Produces the results of tasks. */
  get results(): EarlyResults {
    return this.#endings.results
  }

  /** Plans new tasks, by the active scenario. */
  get planner(): Planner {
    return this.#admission.planner
  }

  /** Replaces the planner. Existing tasks keep their plans. */
  set planner(planner: Planner) {
    this.#admission.planner = planner
  }

  /**
   * Creates a task.
   * @throws CapacityError if the task can neither run nor wait; InputError if the model rejects the input;
   * OverBudgetError if the task exceeds the memory budget
   */
  create(order: NewTask): Task {
    const { store, events } = this.#parts
    const { task, hasPlace } = this.#admission.admit(order)
    this.#retention.created(task)
    store.add(task)
    if (task.status === 'processing') this.#ends.schedule(task)
    events.emit('task.created', task)
    // A listener may have canceled the task.
    if (task.status === 'queued' && hasPlace && this.get(task.id) === task)
      this.#starts.place(task, task.createdAt)
    return task
  }

  /**
   * The task that {@link create} would create from the first order with this model and input, without a limit of the
   * capacity. Nothing is stored or counted.
   * @throws InputError if the model rejects the input; OverBudgetError if the task exceeds the memory budget
   */
  foresee(order: NewTask): Task {
    return this.#admission.foresee(order)
  }

  /** The task with this id, of any owner. */
  get(id: string): Task | undefined {
    return this.#parts.store.get(id)
  }

  /** All tasks, in the order of their creation. */
  all(): Iterable<Task> {
    return this.#parts.store.all()
  }

  /**
   * Counts a poll of a task, and ends the task if its plan requires that.
   * @returns the task after the poll; a promise only if the task ends
   */
  poll(task: Task): Awaitable<Task> {
    return this.#ends.countPoll(task) ? this.#endings.atPoll(task) : task
  }

  /** @returns a page of tasks, newest first; undefined if `after` or `before` is not a task of the owner */
  list(query: ListQuery): TaskPage | undefined {
    return this.#parts.store.list(query)
  }

  /** @returns the canceled task; undefined if it had already ended */
  cancel(id: string): Task | undefined {
    return this.#endings.end(id, { status: 'canceled' }, this.#parts.clock.now())
  }

  /**
   * Deletes a task, as an eviction does. A task that has not ended is canceled first. Pending webhooks are still sent.
   * @returns the deleted task; undefined if there is none
   */
  delete(id: string): Task | undefined {
    const canceled = this.cancel(id)
    const task = this.get(id)
    // The end of a task may evict it.
    if (task === undefined) return canceled
    this.#retention.deleted(task)
    return this.#remove(id, 'deleted')
  }

  /**
   * Deletes the data of a task, which stays without them. A task that has not ended is canceled first.
   * @returns the task; undefined if there is none
   */
  erase(id: string): Task | undefined {
    const { clock, store, events } = this.#parts
    this.cancel(id)
    const at = clock.now()
    const task = store.update(id, (task) => ({ ...task, erasedAt: task.erasedAt ?? at }))
    if (task !== undefined) events.emit('task.erased', task)
    return task
  }

  /**
   * Ends a task now. An advance of the clock waits until it has ended, because the code that produces its result may have
   * to be loaded first.
   * @param outcome the outcome and its error; the planned ones by default
   * @returns the ended task; undefined if it had already ended
   */
  finish(id: string, outcome?: Pick<Plan, 'outcome' | 'error'>): Promise<Task | undefined> {
    return this.#endings.finish(id, outcome)
  }

  /** Prevents a task from ending as planned until {@link release}. @returns false if it has already ended */
  hold(id: string): boolean {
    const task = this.get(id)
    if (task === undefined || isTerminal(task.status)) return false
    this.#ends.hold(task)
    return true
  }

  /**
   * Releases a held task. It ends as planned, or now if its planned end has passed. @returns false if it is not held
   */
  release(id: string): boolean {
    const task = this.get(id)
    return task !== undefined && this.#ends.release(task)
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#ends.isHeld(id)
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#ends.pollsOf(id)
  }

  /**
   * The number of waiting tasks that come before a waiting task and need one of its places; 0 if it is the next one.
   * @returns undefined if the task does not wait
   */
  positionOf(id: string): number | undefined {
    const startsLater = this.get(id)?.status === 'queued' && this.#jobs.has(id)
    return startsLater ? 0 : this.#parts.capacity.positionOf(id)
  }

  /** How many ended tasks to keep. */
  get keep(): number {
    return this.#parts.keep
  }

  /** Changes the limits of the capacity. {@link fill} then starts the tasks that the new limits allow to run. */
  limit(settings: CapacitySettings): void {
    const { capacity, store } = this.#parts
    capacity.configure(settings, [...store.inState('queued'), ...store.inState('processing')])
  }

  /** Starts the queued tasks that the capacity allows to run, such as after a change of limits. */
  fill(at: number): void {
    const { capacity, store } = this.#parts
    for (const id of capacity.fill()) {
      const task = store.get(id)
      if (task !== undefined) this.#starts.place(task, at)
    }
  }

  /** What is to be saved of a task, beside the task itself. */
  savedCourse(id: string): SavedCourse {
    const job = this.#jobs.saved(id)
    const isQueued = this.get(id)?.status === 'queued'
    return {
      ...this.#ends.saved(id),
      end: isQueued ? undefined : job,
      start: isQueued ? job : undefined,
      hasPlace: this.#parts.capacity.hasPlace(id) || undefined,
    }
  }

  /** Restores a task of a simulator that was saved. Call it in the order of their creation. */
  restore(task: Task, course: SavedCourse): void {
    const { store, capacity } = this.#parts
    store.add(task)
    this.occurrences.restore(task.identity)
    if (isTerminal(task.status)) return
    this.#retention.created(task)
    capacity.restore(task.id, task, course.hasPlace === true)
    this.#ends.restore(task.id, course)
    if (course.start !== undefined) this.#starts.restore(task.id, course.start)
  }

  /** How often orders occurred whose tasks were deleted. Restore it before the tasks. */
  get occurrences(): OccurrenceCounter {
    return this.#admission.occurrences
  }

  /** Evicts ended tasks, the one that ended first at the start, by the present limit. */
  get retention(): Pick<Retention, 'endedIds' | 'deliveryOpened' | 'restoreEnded' | 'savedOverdue' | 'trim'> {
    return this.#retention
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#endings.clear()
    this.#admission.clear()
    this.#ends.clear()
    this.#retention.clear()
    this.hasForgotten = false
    this.#parts.store.clear()
  }

  /** Releases its part of the memory budget. */
  close(): void {
    this.#retention.close()
  }

  #onEnd(task: Task, at: number): void {
    const { events, capacity } = this.#parts
    this.#jobs.cancel(task.id)
    this.#ends.forget(task.id)
    capacity.leave(task.id)
    events.emit('task.finished', task, at)
    this.#retention.ended(task)
    this.fill(at)
  }

  #evict(id: string): void {
    if (this.#remove(id, 'evicted') !== undefined) this.hasForgotten = true
  }

  /** @returns the removed task; undefined if it is not in the store any more */
  #remove(id: string, reason: 'evicted' | 'deleted'): Task | undefined {
    const { store, events, clock } = this.#parts
    const task = store.delete(id)
    if (task === undefined) return undefined
    this.#admission.forget(task)
    events.emit('task.forgotten', task, reason, clock.now())
    return task
  }
}

/** What determines the further course of a task, beside the task itself. */
interface SavedCourse extends SavedEnd {
  /** Whether it has a place in the capacity. */
  readonly hasPlace?: boolean | undefined
  /** The scheduled end of its queueing time. */
  readonly start?: SavedJob | undefined
}
