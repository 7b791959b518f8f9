import type { Status, Task } from './task.js'

/** Which tasks to list, newest first by default. */
export interface ListQuery {
  /** The API key that created them; any key if undefined. */
  readonly owner?: string | undefined
  /** The wire format in which they were created; any if undefined. */
  readonly dialect?: string | undefined
  /** Their state. */
  readonly status?: Status | undefined
  /** The exact id of their model. */
  readonly model?: string | undefined
  /** Whether the oldest task is the first one. */
  readonly ascending?: boolean | undefined
  /** The id of the last task of the previous page. */
  readonly after?: string | undefined
  /** The id of the first task of a page: lists the tasks before it. It excludes `after`. */
  readonly before?: string | undefined
  /** How many of the first tasks to skip. */
  readonly skip?: number | undefined
  /** The maximum number of tasks to return. */
  readonly limit: number
  /** Any further condition. */
  readonly matches?: ((task: Task) => boolean) | undefined
}

/** One page of tasks. */
export interface TaskPage {
  /** In the order of the query. */
  readonly tasks: readonly Task[]
  /** Whether further tasks follow; with `before`, whether further ones precede. */
  readonly hasMore: boolean
}
