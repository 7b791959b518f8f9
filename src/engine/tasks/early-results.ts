import type { Awaitable } from '../awaitable.js'
import type { Kinds, Production } from './kinds.js'
import type { Plan, Task } from './task.js'

/**
 * Produces the results of tasks, and keeps those that are needed before the end of their task. A result depends only on
 * the task, so it can be produced again.
 */
export class EarlyResults implements Pick<Kinds, 'produce'> {
  readonly #kinds: Pick<Kinds, 'produce'>
  readonly #productions = new WeakMap<Plan, Awaitable<Production>>()

  constructor(kinds: Pick<Kinds, 'produce'>) {
    this.#kinds = kinds
  }

  /** Produces the result of a task, unless it is kept. */
  produce(task: Task): Awaitable<Production> {
    return this.#productions.get(task.plan) ?? this.#kinds.produce(task)
  }

  /** Keeps the result of a task until it has ended. */
  keep({ plan }: Task, production: Awaitable<Production>): void {
    this.#productions.set(plan, production)
  }

  /** Forgets the result of a task that has ended. */
  forget({ plan }: Task): void {
    this.#productions.delete(plan)
  }
}
