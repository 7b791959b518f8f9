import { type Job, type SavedJob, savedJob } from '../clock/schedule.js'
import type { Time } from '../clock/time.js'
import type { Events } from '../events.js'
import { type Account, type MemoryBudget, OverBudgetError } from '../memory/budget.js'
import { bytesOfResult, bytesOfTask } from '../memory/bytes-of.js'
import { type Evictable, EvictionQueue } from '../memory/caches.js'
import type { Task } from './task.js'

/** A task that stays only because a delivery is pending. */
interface OverdueTask {
  readonly task: Evictable
  /** Evicts it, once no delivery is pending. */
  release: Job | undefined
}

/** What is saved of a task that stays only because a delivery is pending: the job that evicts it, or `true`. */
export type SavedOverdue = SavedJob | true

/**
 * Evicts ended tasks, the earliest first, when there are more than `keep` or when the memory budget is exceeded. It
 * keeps tasks that have not ended, and tasks with a pending delivery.
 */
export class Retention {
  /** Deletes a task from the store. */
  onEvict: (id: string) => void = () => {}
  /** How many ended tasks to keep. */
  readonly keep: number
  readonly #time: Pick<Time, 'clock' | 'schedule'>
  readonly #events: Events
  readonly #budget: MemoryBudget
  readonly #liveBytes: Account
  readonly #endedBytes: Account
  readonly #ended = new EvictionQueue()
  /** Tasks that stay only because a delivery is pending, by id. */
  #overdue = new Map<string, OverdueTask>()
  /** The number of pending deliveries, by the id of their task. */
  #pending = new Map<string, number>()

  /**
   * @param keep how many ended tasks to keep
   * @param budget limits the bytes that tasks retain, together with everything else
   */
  constructor({
    time,
    events,
    keep,
    budget,
  }: {
    time: Pick<Time, 'clock' | 'schedule'>
    events: Events
    keep: number
    budget: MemoryBudget
  }) {
    this.keep = keep
    this.#time = time
    this.#events = events
    this.#budget = budget
    this.#liveBytes = budget.open('live_tasks')
    this.#endedBytes = budget.open('ended_tasks', () => this.#evict())
    events.on('delivery.opened', ({ taskId, state }) => {
      if (state === 'pending') this.deliveryOpened(taskId)
    })
    events.on('delivery.ended', ({ taskId }) => this.#deliveryEnded(taskId))
  }

  /** Evicts tasks until a new one fits. @throws OverBudgetError if it does not fit without them either */
  makeRoom(task: Pick<Task, 'inputBytes'>): void {
    if (!this.#budget.tryToFit(bytesOfTask(task))) throw new OverBudgetError(this.#budget.limit)
  }

  /** Counts a new task. */
  created(task: Task): void {
    this.#liveBytes.add(bytesOfTask(task))
  }

  /** Counts a task as ended, and evicts the earliest ended task if there are too many. */
  ended(task: Task): void {
    this.#liveBytes.add(bytesOfResult(task) - bytesOfTask(task))
    this.#ended.add(this.#count(task))
    this.trim()
  }

  /** Counts a pending delivery of a task. */
  deliveryOpened(taskId: string): void {
    this.#pending.set(taskId, (this.#pending.get(taskId) ?? 0) + 1)
  }

  /** Counts a restored task that has ended. Call it in the order of their ends. */
  restoreEnded(task: Task, overdue?: SavedOverdue): void {
    const ended = this.#count(task)
    if (overdue === undefined) {
      this.#ended.add(ended)
      return
    }
    const release = () => this.#releaseOverdue(task.id)
    const job = overdue === true ? undefined : this.#time.schedule.restore(overdue, release)
    this.#overdue.set(task.id, { task: ended, release: job })
  }

  /** What is to be saved of an ended task; undefined if it does not stay only because a delivery is pending. */
  savedOverdue(id: string): SavedOverdue | undefined {
    const overdue = this.#overdue.get(id)
    return overdue && (savedJob(overdue.release) ?? true)
  }

  /** Evicts the earliest ended tasks while there are too many. */
  trim(): void {
    while (this.#ended.size > this.keep) {
      const oldest = this.#ended.takeOldest()
      if (oldest !== undefined && !this.#postpone(oldest)) this.#release(oldest)
    }
  }

  /** The ids of the ended tasks, the one that ended first at the start. */
  *endedIds(): Iterable<string> {
    yield* this.#overdue.keys()
    yield* this.#ended.ids()
  }

  /** Stops counting an ended task that is being deleted, even if it has a pending delivery. */
  deleted(task: Task): void {
    this.#overdue.get(task.id)?.release?.cancel()
    if (!this.#overdue.delete(task.id) && !this.#ended.delete(task.id)) return
    this.#endedBytes.add(-bytesOfTask(task))
  }

  /** Forgets all tasks and deliveries. */
  clear(): void {
    this.#ended.clear()
    this.#overdue = new Map()
    this.#pending = new Map()
    this.#liveBytes.clear()
    this.#endedBytes.clear()
  }

  /** Closes the accounts of the bytes. */
  close(): void {
    this.#liveBytes.close()
    this.#endedBytes.close()
  }

  #deliveryEnded(taskId: string): void {
    const pending = (this.#pending.get(taskId) ?? 1) - 1
    if (pending > 0) {
      this.#pending.set(taskId, pending)
      return
    }
    this.#pending.delete(taskId)
    const { clock, schedule } = this.#time
    const overdue = this.#overdue.get(taskId)
    if (overdue === undefined || overdue.release !== undefined) return
    overdue.release = schedule.at(clock.now(), () => this.#releaseOverdue(taskId))
    this.#events.emit('task.overdue', taskId)
  }

  #releaseOverdue(id: string): void {
    const overdue = this.#overdue.get(id)
    this.#overdue.delete(id)
    if (overdue !== undefined) this.#release(overdue.task)
  }

  #count(task: Task): Evictable {
    const bytes = bytesOfTask(task)
    this.#endedBytes.add(bytes)
    return { id: task.id, bytes }
  }

  #evict(): boolean {
    for (;;) {
      const oldest = this.#ended.takeOldest()
      if (oldest === undefined) return false
      if (this.#postpone(oldest)) continue
      this.#release(oldest)
      return true
    }
  }

  /** Keeps a task while it has a pending delivery. @returns false if it has none */
  #postpone(task: Evictable): boolean {
    if (!this.#pending.has(task.id)) return false
    this.#overdue.set(task.id, { task, release: undefined })
    this.#events.emit('task.overdue', task.id)
    return true
  }

  #release({ id, bytes }: Evictable): void {
    this.#endedBytes.add(-bytes)
    this.onEvict(id)
  }
}

/**
 * The default number of ended tasks to keep: more than a test or a day of development creates, and about a hundred
 * megabytes with inputs of the usual length.
 */
export const DEFAULT_KEEP_TASKS = 100_000

/** The valid numbers of tasks to keep, for error messages. */
export const KEEP_TASKS_FORM = 'a whole number from 1 up, or Infinity'

/** Whether a value is a valid number of tasks to keep. With 0, no client could see the end of a task. */
export function isKeepTasks(value: unknown): value is number {
  return value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1)
}
