import type { WireFormats } from '../engine/wire-formats.js'
import type { Dialect } from './dialect.js'
import { tasks } from './tasks/index.js'

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([[tasks.name, tasks]])

/** The dialect of requests and tasks that name none. */
export const MAIN_DIALECT = tasks

/**
 * The dialect with a name.
 * @throws Error if there is none
 */
export function dialectNamed(name: string): Dialect {
  const dialect = DIALECTS.get(name)
  if (dialect === undefined) throw new Error(`There is no dialect ${JSON.stringify(name)}.`)
  return dialect
}

/** The ids of the tasks of all dialects. */
export const WIRE_FORMATS: WireFormats = {
  main: MAIN_DIALECT.name,
  drawTaskId: (name, random) => dialectNamed(name).taskIds.draw(random),
}
