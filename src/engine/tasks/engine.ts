import type { Awaitable } from '../awaitable.js'
import type { Time } from '../clock/time.js'
import type { Events } from '../events.js'
import type { PoolLimits } from '../scenario/scenario.js'
import { Capacity, CapacityError } from './capacity.js'
import type { TaskResults } from './results.js'
import type { Retention } from './retention.js'
import { isTerminal, type Plan, type Task } from './task.js'
import type { NewTask, TaskFactory } from './task-factory.js'
import type { ListQuery, TaskPage, TaskStore } from './task-store.js'
import { type SavedTransitions, Transitions } from './transitions.js'

/** What is saved of a task beside the task itself: how it continues. */
interface SavedTask extends SavedTransitions {
  /** Whether it has a slot in the capacity. Saved states call it so. */
  readonly hasPlace?: boolean | undefined
}

/** Creates tasks and moves them through their lifecycle on the clock. */
export class Engine {
  /** Whether any task was evicted, so that an unknown id may belong to an evicted task. */
  hasForgotten = false
  /** Plans new tasks by the active scenario, and makes them. */
  readonly factory: TaskFactory
  /** Limits how many tasks run and wait. */
  readonly capacity = new Capacity()
  /** Produces the results of tasks. */
  readonly results: TaskResults
  /** Evicts ended tasks, the one that ended first at the start, by the present limit. */
  readonly retention: Retention
  readonly #time: Pick<Time, 'clock' | 'schedule' | 'inFlight'>
  readonly #events: Events
  readonly #store: TaskStore
  readonly #transitions: Transitions

  constructor({
    time,
    events,
    store,
    factory,
    results,
    retention,
  }: {
    time: Pick<Time, 'clock' | 'schedule' | 'inFlight'>
    events: Events
    store: TaskStore
    factory: TaskFactory
    results: TaskResults
    retention: Retention
  }) {
    this.#time = time
    this.#events = events
    this.#store = store
    this.factory = factory
    this.results = results
    this.retention = retention
    retention.onEvict = (id) => this.#evict(id)
    const onEnd = (task: Task, at: number) => this.#onEnd(task, at)
    this.#transitions = new Transitions({ time, store, events, results, onEnd })
  }

  /**
   * Creates a task.
   * @throws CapacityError if the task can neither run nor wait; InputError if the model rejects the input;
   * OverBudgetError if the task exceeds the memory budget
   */
  create(order: NewTask): Task {
    const traits = this.factory.read(order)
    this.retention.makeRoom(traits)
    const applicant = { kind: traits.kind, model: order.model, owner: order.owner }
    const claim = this.capacity.claim(applicant)
    if (claim.isRefused) throw new CapacityError()
    const task = this.factory.create(
      order,
      traits,
      this.factory.occurrences.retain(traits.equal),
      claim.hasSlot,
    )
    this.capacity.enter(task.id, applicant, claim)
    this.retention.created(task)
    this.#store.add(task)
    if (task.status === 'processing') this.#transitions.scheduleEnd(task)
    this.#events.emit('task.created', task)
    // A listener may have canceled the task.
    if (task.status === 'queued' && claim.hasSlot && this.get(task.id) === task)
      this.#transitions.scheduleStart(task, task.createdAt)
    return task
  }

  /** The task with this id, of any owner. */
  get(id: string): Task | undefined {
    return this.#store.get(id)
  }

  /** All tasks, in the order of their creation. */
  all(): Iterable<Task> {
    return this.#store.all()
  }

  /**
   * Counts a poll of a task, and ends the task if its plan requires that.
   * @returns the task after the poll; a promise only if the task ends
   */
  poll(task: Task): Awaitable<Task> {
    return this.#transitions.poll(task)
  }

  /** @returns a page of tasks, newest first; undefined if `after` or `before` is not a task of the owner */
  list(query: ListQuery): TaskPage | undefined {
    return this.#store.list(query)
  }

  /** @returns the canceled task; undefined if it had already ended */
  cancel(id: string): Task | undefined {
    return this.#transitions.end(id, { status: 'canceled' }, this.#time.clock.now())
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
    this.retention.deleted(task)
    return this.#remove(id, 'deleted')
  }

  /**
   * Deletes the data of a task, which stays without them. A task that has not ended is canceled first.
   * @returns the task; undefined if there is none
   */
  erase(id: string): Task | undefined {
    this.cancel(id)
    const at = this.#time.clock.now()
    const task = this.#store.update(id, (task) => ({ ...task, erasedAt: task.erasedAt ?? at }))
    if (task !== undefined) this.#events.emit('task.erased', task)
    return task
  }

  /**
   * Ends a task now. An advance of the clock waits until it has ended, because the code that produces its result may have
   * to be loaded first.
   * @param outcome the outcome and its error; the planned ones by default
   * @returns the ended task; undefined if it had already ended
   */
  finish(id: string, outcome?: Pick<Plan, 'outcome' | 'error'>): Promise<Task | undefined> {
    return this.#transitions.finish(id, outcome)
  }

  /** Prevents a task from ending as planned until {@link release}. @returns false if it has already ended */
  hold(id: string): boolean {
    const task = this.get(id)
    if (task === undefined || isTerminal(task.status)) return false
    this.#transitions.hold(task)
    return true
  }

  /**
   * Releases a held task. It ends as planned, or now if its planned end has passed. @returns false if it is not held
   */
  release(id: string): boolean {
    const task = this.get(id)
    return task !== undefined && this.#transitions.release(task)
  }

  /** Whether a task is held. */
  isHeld(id: string): boolean {
    return this.#transitions.isHeld(id)
  }

  /** The counted polls of a task that has not ended; undefined if none was counted. */
  pollsOf(id: string): number | undefined {
    return this.#transitions.pollsOf(id)
  }

  /**
   * The number of waiting tasks that come before a waiting task and need one of its slots; 0 if it is the next one.
   * @returns undefined if the task does not wait
   */
  positionOf(id: string): number | undefined {
    const startsLater = this.get(id)?.status === 'queued' && this.#transitions.isScheduled(id)
    return startsLater ? 0 : this.capacity.positionOf(id)
  }

  /** Changes the limits of the capacity. {@link fill} then starts the tasks that the new limits allow to run. */
  limit(settings: PoolLimits): void {
    const live = [...this.#store.inState('queued'), ...this.#store.inState('processing')]
    this.capacity.configure(settings, live)
  }

  /** Starts the queued tasks that the capacity allows to run, such as after a change of limits. */
  fill(at: number): void {
    for (const id of this.capacity.fill()) {
      const task = this.get(id)
      // A listener may have canceled the task.
      if (task?.status === 'queued') this.#transitions.scheduleStart(task, at)
    }
  }

  /** What is to be saved of a task, beside the task itself. */
  saved(task: Task): SavedTask {
    return { ...this.#transitions.saved(task), hasPlace: this.capacity.hasSlot(task.id) || undefined }
  }

  /** Restores a task of a simulator that was saved. Call it in the order of their creation, and after `occurrences`. */
  restore(task: Task, saved: SavedTask): void {
    this.#store.add(task)
    this.factory.occurrences.restore(task.identity)
    if (isTerminal(task.status)) return
    this.retention.created(task)
    this.capacity.restore(task.id, task, saved.hasPlace === true)
    this.#transitions.restore(task.id, saved)
  }

  /** Forgets all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#transitions.clear()
    this.factory.clear()
    this.capacity.clear()
    this.retention.clear()
    this.hasForgotten = false
    this.#store.clear()
  }

  /** Releases its part of the memory budget. */
  close(): void {
    this.retention.close()
  }

  #onEnd(task: Task, at: number): void {
    this.capacity.leave(task.id)
    this.#events.emit('task.finished', task, at)
    this.retention.ended(task)
    this.fill(at)
  }

  #evict(id: string): void {
    if (this.#remove(id, 'evicted') !== undefined) this.hasForgotten = true
  }

  /** @returns the removed task; undefined if it is not in the store any more */
  #remove(id: string, reason: 'evicted' | 'deleted'): Task | undefined {
    const task = this.#store.delete(id)
    if (task === undefined) return undefined
    this.factory.forget(task)
    this.#events.emit('task.forgotten', task, reason, this.#time.clock.now())
    return task
  }
}
