import Queue from 'yocto-queue'
import type { Awaitable } from '../awaitable.js'
import type { Account, MemoryBudget } from '../memory/budget.js'
import { bytesOfResult, bytesOfTask } from '../memory/bytes-of.js'
import type { Task } from './task.js'

/** What retention is built from. */
export interface RetentionParts {
  /** How many tasks that have ended are kept. */
  readonly keep: number
  /** The bytes that all tasks may retain, together with everything else. */
  readonly budget: MemoryBudget
  /** Whether a webhook of a task is still pending. */
  readonly isAwaited: (id: string) => boolean
  /** Deletes a task; reports by itself what goes wrong. */
  readonly forget: (id: string) => Awaitable<void>
}

interface EndedTask {
  readonly id: string
  /** What it retains. */
  readonly bytes: number
}

/**
 * Decides which ended tasks are forgotten: the one that ended first goes first, as soon as there are more than
 * `keep`, or when the memory budget needs room. Tasks that have not ended stay, and so do tasks whose webhook is
 * pending.
 */
export class Retention {
  readonly #parts: RetentionParts
  readonly #live: Account
  readonly #past: Account
  /** In the order in which they ended. */
  #ended = new Queue<EndedTask>()
  /** Tasks whose turn has passed while their webhook was pending, by id. */
  #overdue = new Map<string, EndedTask>()

  constructor(parts: RetentionParts) {
    this.#parts = parts
    this.#live = parts.budget.open('live_tasks')
    this.#past = parts.budget.open('ended_tasks', () => this.#evict())
  }

  /** Counts a new task. */
  created(task: Task): void {
    this.#live.add(bytesOfTask(task, task.inputBytes))
  }

  /** Takes back that a task was created: it could not be stored. */
  withdrawn(task: Task): void {
    this.#live.add(-bytesOfTask(task, task.inputBytes))
  }

  /** Counts a task as ended; forgets the one that ended first if there are too many. */
  ended(task: Task): Awaitable<void> {
    const bytes = bytesOfTask(task, task.inputBytes)
    this.#live.add(-bytes)
    const ended = { id: task.id, bytes: bytes + bytesOfResult(task) }
    this.#ended.enqueue(ended)
    this.#past.add(ended.bytes)
    const oldest = this.#ended.size > this.#parts.keep ? this.#ended.dequeue() : undefined
    return oldest === undefined || this.#putAside(oldest) ? undefined : this.#release(oldest)
  }

  /** Whether a task's turn has passed. */
  isOverdue(id: string): boolean {
    return this.#overdue.has(id)
  }

  /** Forgets a task whose turn has passed, now that no webhook of it is pending. */
  releaseOverdue(id: string): Awaitable<void> {
    const task = this.#overdue.get(id)
    this.#overdue.delete(id)
    return task === undefined ? undefined : this.#release(task)
  }

  /** Forgets all tasks. */
  clear(): void {
    this.#ended = new Queue()
    this.#overdue = new Map()
    this.#live.clear()
    this.#past.clear()
  }

  /** Gives its accounts up. */
  close(): void {
    this.#live.close()
    this.#past.close()
  }

  #evict(): boolean {
    for (let oldest = this.#ended.dequeue(); oldest !== undefined; oldest = this.#ended.dequeue()) {
      if (this.#putAside(oldest)) continue
      this.#release(oldest)
      return true
    }
    return false
  }

  /** Puts a task aside if its webhook is pending. @returns whether it is */
  #putAside(task: EndedTask): boolean {
    if (!this.#parts.isAwaited(task.id)) return false
    this.#overdue.set(task.id, task)
    return true
  }

  #release({ id, bytes }: EndedTask): Awaitable<void> {
    this.#past.add(-bytes)
    return this.#parts.forget(id)
  }
}
