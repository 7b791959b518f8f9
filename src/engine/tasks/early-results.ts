import type { Awaitable } from '../awaitable.js'
import type { Kinds, Production } from './kinds.js'
import { isTerminal, type Task } from './task.js'
import type { TaskStore } from './task-store.js'

/** The parts that {@link EarlyResults} needs. */
interface EarlyResultsParts {
  /** Produces the results of tasks. */
  readonly kinds: Pick<Kinds, 'produce'>
  /** Stores the tasks. */
  readonly store: Pick<TaskStore, 'get'>
}

/**
 * Produces the results of tasks, and keeps those that are needed before the end of their task. A result depends only on
 * the task, so it can be produced again.
 */
export class EarlyResults implements Pick<Kinds, 'produce'> {
  readonly #parts: EarlyResultsParts
  /** By the id of the task. */
  readonly #productions = new Map<string, Awaitable<Production>>()

  constructor(parts: EarlyResultsParts) {
    this.#parts = parts
  }

  /** Produces the result of a task, unless it is kept. */
  produce(task: Task): Awaitable<Production> {
    return this.#productions.get(task.id) ?? this.#parts.kinds.produce(task)
  }

  /** Keeps the result of a task until it ends. Does nothing if the task has ended, or is not stored. */
  keep({ id }: Task, production: Awaitable<Production>): void {
    const stored = this.#parts.store.get(id)
    if (stored !== undefined && !isTerminal(stored.status)) this.#productions.set(id, production)
  }

  /** Forgets the result of a task that has ended. */
  forget(id: string): void {
    this.#productions.delete(id)
  }

  /** Forgets all results. */
  clear(): void {
    this.#productions.clear()
  }
}
