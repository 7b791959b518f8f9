import { type Awaitable, after, reported, withCleanup } from '../awaitable.js'
import type { Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import { Admission, type AdmissionParts } from './admission.js'
import { EarlyResults } from './early-results.js'
import { endingOf } from './ending.js'
import type { Kinds } from './kinds.js'
import { type Ending, end } from './lifecycle.js'
import type { NewTask } from './new-task.js'
import type { Planner } from './planner.js'
import { Retention } from './retention.js'
import { RunningTasks } from './running-tasks.js'
import type { ListQuery, TaskPage, TaskStore } from './store.js'
import { isTerminal, type Plan, type Task } from './task.js'
import { TaskStarts } from './task-starts.js'

/** The parts that {@link Engine} needs. */
export interface EngineParts extends AdmissionParts {
  /** The jobs on that clock. */
  readonly schedule: Schedule
  /** Stores the tasks. */
  readonly store: TaskStore
  /** Receives the events of tasks. */
  readonly events: Events
  /** Produces the results of tasks. */
  readonly kinds: Kinds
  /** How many ended tasks to keep. */
  readonly keep: number
}

/** Creates tasks and moves them through their lifecycle on the clock. */
export class Engine {
  /** Produces the results of tasks. */
  readonly results: EarlyResults
  readonly #parts: EngineParts
  readonly #admission: Admission
  readonly #running: RunningTasks
  readonly #starts: TaskStarts
  readonly #retention: Retention
  #hasForgotten = false
  /** Changes with each reset, so that an interrupted operation changes nothing after the reset. */
  #generation = 0

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.results = new EarlyResults(parts.kinds)
    this.#admission = new Admission(parts)
    this.#running = new RunningTasks(parts, (id, at) => this.#endAsPlanned(id, at))
    this.#starts = new TaskStarts(parts, (task) => this.#running.begin(task))
    this.#retention = new Retention({ ...parts, evict: (id) => this.#evict(id) })
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
  create(order: NewTask): Awaitable<Task> {
    const generation = this.#generation
    const { task, hasPlace } = this.#admission.admit(order)
    return after(this.#add(task), () => {
      if (generation !== this.#generation) return task
      if (task.status === 'processing') this.#running.begin(task)
      this.#parts.events.emit('task.created', task)
      return task.status === 'queued' && hasPlace
        ? after(this.#starts.place(task, task.createdAt), () => task)
        : task
    })
  }

  /** The task with this id, of any owner. */
  get(id: string): Awaitable<Task | undefined> {
    return this.#parts.store.get(id)
  }

  /**
   * Counts a poll of a task, and ends the task if its plan requires that.
   * @returns the task after the poll; a promise only if the task ends
   */
  poll(task: Task): Awaitable<Task> {
    return this.#running.countPoll(task) ? this.#endAtPoll(task) : task
  }

  /** @returns a page of tasks, newest first; undefined if `after` or `before` is not a task of the owner */
  list(query: ListQuery): Awaitable<TaskPage | undefined> {
    return this.#parts.store.list(query)
  }

  /** @returns the canceled task; undefined if it had already ended */
  async cancel(id: string): Promise<Task | undefined> {
    return this.#end(id, { status: 'canceled' }, this.#parts.clock.now())
  }

  /**
   * Deletes a task, as an eviction does. A task that has not ended is canceled first. Pending webhooks are still sent.
   * @returns the deleted task; undefined if there is none
   */
  async delete(id: string): Promise<Task | undefined> {
    const generation = this.#generation
    // With an asynchronous store, this also completes an end in progress, so that the retention knows the task.
    const canceled = await this.cancel(id)
    return after(this.get(id), (task) => {
      if (generation !== this.#generation) return undefined
      if (task === undefined) return canceled
      this.#retention.deleted(task)
      return this.#remove(id, 'deleted')
    })
  }

  /**
   * Deletes the data of a task, which stays without them. A task that has not ended is canceled first.
   * @returns the task; undefined if there is none
   */
  async erase(id: string): Promise<Task | undefined> {
    const generation = this.#generation
    await this.cancel(id)
    const at = this.#parts.clock.now()
    const erased = this.#parts.store.update(id, (task) => ({ ...task, erasedAt: task.erasedAt ?? at }))
    return after(erased, (task) => {
      if (task !== undefined && generation === this.#generation) this.#parts.events.emit('task.erased', task)
      return task
    })
  }

  /**
   * Ends a task now.
   * @param outcome the outcome and its error; the planned ones by default
   * @returns the ended task; undefined if it had already ended
   */
  async finish(id: string, outcome?: Pick<Plan, 'outcome' | 'error'>): Promise<Task | undefined> {
    const generation = this.#generation
    const task = await this.get(id)
    if (task === undefined || isTerminal(task.status)) return undefined
    const ending = await this.#endingOf({ ...task, plan: { ...task.plan, ...outcome } })
    return generation === this.#generation ? this.#end(id, ending, this.#parts.clock.now()) : undefined
  }

  /** Prevents a task from ending as planned until {@link release}. @returns false if it has already ended */
  async hold(id: string): Promise<boolean> {
    const task = await this.get(id)
    if (task === undefined || isTerminal(task.status)) return false
    this.#running.hold(id)
    return true
  }

  /**
   * Releases a held task. It ends as planned, or now if its planned end has passed. @returns false if it is not held
   */
  async release(id: string): Promise<boolean> {
    const task = await this.get(id)
    return task !== undefined && this.#running.release(task)
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#running.isHeld(id)
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#running.pollsOf(id)
  }

  /**
   * The number of waiting tasks that come before a waiting task and need one of its places; 0 if it is the next one.
   * @returns undefined if the task does not wait
   */
  positionOf(id: string): number | undefined {
    return this.#starts.has(id) ? 0 : this.#parts.capacity.positionOf(id)
  }

  /** How many ended tasks to keep. */
  get keep(): number {
    return this.#parts.keep
  }

  /** Whether any task was evicted, so that an unknown id may belong to an evicted task. */
  get hasForgotten(): boolean {
    return this.#hasForgotten
  }

  /** Starts the queued tasks that the capacity allows to run, such as after a change of limits. */
  fill(at: number): Awaitable<void> {
    const ids = this.#parts.capacity.fill()
    return ids.length === 0 ? undefined : this.#startAll(ids, at)
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  async clear(): Promise<void> {
    this.#generation += 1
    this.#admission.clear()
    this.#running.clear()
    this.#starts.clear()
    this.#retention.clear()
    this.#hasForgotten = false
    await this.#parts.store.clear()
  }

  /** Releases its part of the memory budget. */
  close(): void {
    this.#retention.close()
  }

  #add(task: Task): Awaitable<void> {
    const generation = this.#generation
    this.#retention.created(task)
    return withCleanup(
      () => this.#parts.store.add(task),
      () => {
        if (generation !== this.#generation) return
        this.#retention.withdrawn(task)
        this.#parts.capacity.leave(task.id)
      },
    )
  }

  async #startAll(ids: readonly string[], at: number): Promise<void> {
    const generation = this.#generation
    for (const id of ids) {
      if (generation !== this.#generation) return
      // The capacity counts the task as running, so it must not stay queued until the next turn.
      await after(this.get(id), (task) =>
        task === undefined || generation !== this.#generation ? undefined : this.#starts.place(task, at),
      )
    }
  }

  async #endAtPoll(task: Task): Promise<Task> {
    await this.#endAsPlanned(task.id, this.#parts.clock.now())
    return (await this.get(task.id)) ?? task
  }

  #endingOf(task: Task): Promise<Ending> {
    return endingOf(task, this.results, this.#report)
  }

  #endAsPlanned(id: string, at: number): Awaitable<unknown> {
    const generation = this.#generation
    return after(this.#parts.store.get(id), (task) => {
      if (task === undefined || isTerminal(task.status)) return undefined
      return this.#endingOf(task).then((ending) =>
        generation === this.#generation ? this.#end(id, ending, at) : undefined,
      )
    })
  }

  #end(id: string, ending: Ending, at: number): Awaitable<Task | undefined> {
    const { store, events, capacity } = this.#parts
    const generation = this.#generation
    return after(
      store.update(id, (task) => end(task, ending, at, this.#running.pollsOf(id))),
      (ended) => {
        if (ended === undefined || generation !== this.#generation) return ended
        this.#running.forget(ended)
        this.#starts.forget(id)
        this.results.forget(ended)
        capacity.leave(id)
        events.emit('task.finished', ended, at)
        return after(this.#retention.ended(ended), () => after(this.fill(at), () => ended))
      },
    )
  }

  #evict(id: string): Awaitable<void> {
    const evicted = after(this.#remove(id, 'evicted'), (task) => {
      if (task !== undefined) this.#hasForgotten = true
    })
    return reported(evicted, this.#report)
  }

  /** @returns the removed task; undefined if it is not in the store any more */
  #remove(id: string, reason: 'evicted' | 'deleted'): Awaitable<Task | undefined> {
    const { store, events } = this.#parts
    const generation = this.#generation
    return after(store.delete(id), (task) => {
      if (task === undefined || generation !== this.#generation) return undefined
      this.#admission.forget(task)
      events.emit('task.forgotten', task, reason)
      return task
    })
  }

  readonly #report = (problem: unknown): void => {
    this.#parts.events.emit('error', problem)
  }
}
