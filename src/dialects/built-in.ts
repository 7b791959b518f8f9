import type { Dialect } from './dialect.js'
import { tasks } from './tasks/index.js'

/** A built-in dialect, before it is loaded. */
export interface BuiltInDialect {
  readonly name: string
  /** The name of the service. */
  readonly title: string
  load(): Promise<Dialect>
}

/** The dialect of requests and tasks that name none. */
export const MAIN_DIALECT = tasks

/** The dialects that are loaded on first use, by name. */
export const BUILT_IN_DIALECTS: ReadonlyMap<string, BuiltInDialect> = new Map()
