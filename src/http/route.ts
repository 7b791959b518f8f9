import type { Operation } from './operation.js'

/** A path and the operations on it, by method. */
export interface Route {
  /** Matches the whole path; its groups are the operation's params. */
  readonly path: RegExp
  /** Whether the first group is the id of a task. */
  readonly namesTask?: true
  readonly methods: Readonly<Record<string, Operation>>
}
