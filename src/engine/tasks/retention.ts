import type { Awaitable } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import type { Account, MemoryBudget } from '../memory/budget.js'
import { bytesOfResult, bytesOfTask } from '../memory/bytes-of.js'
import { type EndedTask, EndedTasks } from './ended-tasks.js'
import type { Task } from './task.js'

/** The parts that {@link Retention} needs. */
export interface RetentionParts {
  readonly clock: Clock
  readonly schedule: Schedule
  /** Reports which deliveries are pending. */
  readonly events: Events
  /** How many ended tasks to keep. */
  readonly keep: number
  /** Limits the bytes that tasks retain, together with everything else. */
  readonly budget: MemoryBudget
  /** Deletes a task from the store; reports its own errors. */
  readonly evict: (id: string) => Awaitable<void>
}

/**
 * Evicts ended tasks, the earliest first, when there are more than `keep` or when the memory budget is exceeded. It
 * keeps tasks that have not ended, and tasks with a pending delivery.
 */
export class Retention {
  readonly #parts: RetentionParts
  readonly #liveBytes: Account
  readonly #endedBytes: Account
  readonly #ended = new EndedTasks()
  /** Tasks that stay only because a delivery is pending, by id. */
  #overdue = new Map<string, EndedTask>()
  /** The number of pending deliveries, by the id of their task. */
  #pending = new Map<string, number>()

  constructor(parts: RetentionParts) {
    this.#parts = parts
    this.#liveBytes = parts.budget.open('live_tasks')
    this.#endedBytes = parts.budget.open('ended_tasks', () => this.#evict())
    parts.events.on('delivery.opened', ({ taskId, state }) => {
      if (state === 'pending') this.#pending.set(taskId, (this.#pending.get(taskId) ?? 0) + 1)
    })
    parts.events.on('delivery.ended', ({ taskId }) => this.#deliveryEnded(taskId))
  }

  /** Counts a new task. */
  created(task: Task): void {
    this.#liveBytes.add(bytesOfTask(task, task.inputBytes))
  }

  /** Stops counting a new task that could not be stored. */
  withdrawn(task: Task): void {
    this.#liveBytes.add(-bytesOfTask(task, task.inputBytes))
  }

  /** Counts a task as ended, and evicts the earliest ended task if there are too many. */
  ended(task: Task): Awaitable<void> {
    const bytes = bytesOfTask(task, task.inputBytes)
    this.#liveBytes.add(-bytes)
    const ended = { id: task.id, bytes: bytes + bytesOfResult(task) }
    this.#ended.add(ended)
    this.#endedBytes.add(ended.bytes)
    const oldest = this.#ended.size > this.#parts.keep ? this.#ended.takeOldest() : undefined
    return oldest === undefined || this.#postpone(oldest) ? undefined : this.#release(oldest)
  }

  /** Stops counting an ended task that is being deleted, even if it has a pending delivery. */
  deleted(task: Task): void {
    if (!this.#overdue.delete(task.id) && !this.#ended.delete(task.id)) return
    this.#endedBytes.add(-bytesOfTask(task, task.inputBytes) - bytesOfResult(task))
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
    const { clock, schedule } = this.#parts
    if (this.#overdue.has(taskId)) schedule.at(clock.now(), () => this.#releaseOverdue(taskId))
  }

  #releaseOverdue(id: string): Awaitable<void> {
    const task = this.#overdue.get(id)
    this.#overdue.delete(id)
    return task && this.#release(task)
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
  #postpone(task: EndedTask): boolean {
    if (!this.#pending.has(task.id)) return false
    this.#overdue.set(task.id, task)
    return true
  }

  #release({ id, bytes }: EndedTask): Awaitable<void> {
    this.#endedBytes.add(-bytes)
    return this.#parts.evict(id)
  }
}
