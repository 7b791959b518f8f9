import type { Operation } from './operation.js'

/** A path and the operations on it, by method. */
export interface Route {
  /** Matches the whole path; its groups are the operation's params. */
  readonly path: RegExp
  readonly methods: Readonly<Record<string, Operation>>
}
