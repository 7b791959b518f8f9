import type { Dialect } from './dialect.js'
import { FILES } from './files/index.generated.js'
import { TABLE } from './files/tasks.generated.js'
import { dialectFromTable } from './table/dialect-from-table.js'

/** A built-in dialect, before it is loaded. */
export interface BuiltInDialect {
  readonly name: string
  /** The name of the service. */
  readonly title: string
  load(): Promise<Dialect>
}

/** The dialect of requests and tasks that name none, at the root of a server. */
export const MAIN_DIALECT = dialectFromTable(TABLE)

/** The dialects of other services, which are loaded on first use, by name. */
export const BUILT_IN_DIALECTS: ReadonlyMap<string, BuiltInDialect> = new Map(
  FILES.map(({ name, title, load }) => [name, { name, title, load: () => loadFile(load) }]),
)

type LoadTable = (typeof FILES)[number]['load']

async function loadFile(load: LoadTable): Promise<Dialect> {
  const [{ TABLE }, { LiveTasks }] = await Promise.all([load(), import('../engine/progress/live-tasks.js')])
  return dialectFromTable(TABLE, LiveTasks)
}
