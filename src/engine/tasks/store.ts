import type { Awaitable } from '../awaitable.js'
import type { Status, Task } from './task.js'

/** Which tasks to list, newest first. */
export interface ListQuery {
  /** The API key that made them; anybody's where undefined. */
  readonly owner?: string | undefined
  /** The state that they are in. */
  readonly status?: Status | undefined
  /** The very id of their model. */
  readonly model?: string | undefined
  /** The id of the last task of the page before. */
  readonly after?: string | undefined
  /** How many at most. */
  readonly limit: number
  /** Anything else that a task must fulfil. */
  readonly matches?: ((task: Task) => boolean) | undefined
}

/** One page of tasks. */
export interface TaskPage {
  /** The newest first. */
  readonly tasks: readonly Task[]
  /** Whether older ones follow. */
  readonly hasMore: boolean
}

/** Where tasks are kept. Methods may return promises, so that a shared store can stand behind them. */
export interface TaskStore {
  /** Keeps a new task; its id is not known yet. */
  add(task: Task): Awaitable<void>
  /** The task of this id, whoever made it. */
  get(id: string): Awaitable<Task | undefined>
  /**
   * Replaces a task by what `change` makes of it, in one step that no other change can come between.
   * @returns the new task, or undefined where there is none of this id or `change` returned none
   */
  update(id: string, change: (task: Task) => Task | undefined): Awaitable<Task | undefined>
  /**
   * Forgets a task, which has ended and is one too many.
   * @returns the task as it was, or undefined where there is none of this id
   */
  delete(id: string): Awaitable<Task | undefined>
  /** @returns undefined where `after` is no task of the owner's */
  list(query: ListQuery): Awaitable<TaskPage | undefined>
  /** Forgets all tasks. */
  clear(): Awaitable<void>
}
