import type { Dialect } from './dialect.js'
import { FILES } from './files/index.generated.js'
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
export const BUILT_IN_DIALECTS: ReadonlyMap<string, BuiltInDialect> = new Map(
  FILES.map(({ name, title, load }) => [name, { name, title, load: () => loadFile(load) }]),
)

type LoadTable = (typeof FILES)[number]['load']

async function loadFile(load: LoadTable): Promise<Dialect> {
  const [{ dialectFromTable }, { TABLE }] = await Promise.all([
    import('./table/dialect-from-table.js'),
    load(),
  ])
  return dialectFromTable(TABLE)
}
