import { type Awaitable, isPromise } from '../awaitable.js'
import type { Kinds, Production } from './kinds.js'
import type { Ending } from './lifecycle.js'
import { costOf } from './pricing.js'
import { DEFAULT_TASK_ERROR, isTerminal, type Task } from './task.js'
import type { TaskStore } from './task-store.js'

/**
 * Produces the results of tasks, and keeps those that are needed before the end of their task. A result depends only on
 * the task, so it can be produced again.
 */
export class TaskResults implements Pick<Kinds, 'produce'> {
  readonly #kinds: Pick<Kinds, 'produce'>
  readonly #store: Pick<TaskStore, 'get'>
  /** By the id of the task. */
  readonly #productions = new Map<string, Awaitable<Production>>()

  constructor({ kinds, store }: { kinds: Pick<Kinds, 'produce'>; store: Pick<TaskStore, 'get'> }) {
    this.#kinds = kinds
    this.#store = store
  }

  /** Produces the result of a task, unless it is kept. */
  produce(task: Task): Awaitable<Production> {
    return this.#productions.get(task.id) ?? this.#kinds.produce(task)
  }

  /** Keeps the result of a task until it ends. Does nothing if the task has ended, or is not stored. */
  keep({ id }: Task, production: Awaitable<Production>): void {
    const stored = this.#store.get(id)
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

/**
 * The planned ending of a task. A task whose result cannot be produced fails.
 * @param report receives the reason why the result cannot be produced
 * @returns a promise only if producing the result takes a while
 */
export function endingOf(
  task: Task,
  results: Pick<Kinds, 'produce'>,
  report: (problem: unknown) => void,
): Awaitable<Ending> {
  const { outcome, price, error = DEFAULT_TASK_ERROR } = task.plan
  if (outcome === 'failed') return { status: 'failed', error }
  if (outcome === 'canceled') return { status: 'canceled' }
  const success = ({ result, usage }: Production): Ending => ({
    status: 'succeeded',
    result,
    cost: costOf(price, usage),
  })
  const failure = (problem: unknown): Ending => {
    report(problem)
    return { status: 'failed', error: DEFAULT_TASK_ERROR }
  }
  try {
    const production = results.produce(task)
    return isPromise(production) ? production.then(success, failure) : success(production)
  } catch (problem) {
    return failure(problem)
  }
}
