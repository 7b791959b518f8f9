import { CLIENTS, type ClientAddress, OTHER_CLIENTS } from '../../control/code/clients.js'
import type { Dialect } from '../../dialects/dialect.js'
import { Dialects } from '../../dialects/dialects.js'
import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import type { Scenario } from '../../scenario/scenario.js'
import { isScenarioPath } from '../../scenario/scenario-path.js'

/** The dialects that a command line gives, in their order: by name, or by the path of a file. */
export interface GivenDialects {
  readonly names: readonly string[]
  /** The dialects of the files. */
  readonly tables: readonly DialectTable[]
  /** The paths of the files. */
  readonly files: readonly string[]
}

/**
 * Reads the values of `--dialect`. The code that reads files is loaded on first use.
 * @throws UsageError if a file cannot be read; ScenarioError with every mistake in it
 */
export async function readGivenDialects(values: readonly string[]): Promise<GivenDialects> {
  const files = values.filter(isScenarioPath)
  if (files.length === 0) return { names: values, tables: [], files }
  const { readDialectFile } = await import('./dialect-file.js')
  const byFile = new Map(files.map((file) => [file, readDialectFile(file)]))
  return {
    names: values.map((value) => byFile.get(value)?.name ?? value),
    tables: [...byFile.values()],
    files,
  }
}

/** The dialect that a command line gives. */
interface GivenDialect {
  /** Undefined if it gives none. */
  readonly name: string | undefined
  /** The dialect of a file; empty for a built-in one. */
  readonly tables: readonly DialectTable[]
}

/**
 * Reads the value of a `--dialect` that is given once.
 * @throws as {@link readGivenDialects}
 */
export async function readGivenDialect(value: string | undefined): Promise<GivenDialect> {
  const { names, tables } = await readGivenDialects(value === undefined ? [] : [value])
  return { name: names[0], tables }
}

/** A dialect, among all dialects that a command knows. */
interface LoadedDialect {
  readonly dialects: Dialects
  readonly dialect: Dialect
  /** Its description, if it is not built in. */
  readonly table: DialectTable | undefined
}

/**
 * Loads the dialect of a `--dialect` that is given once; `tasks` if it is not given.
 * @param scenario also has dialects
 * @throws UsageError if there is no such dialect; as {@link readGivenDialects}
 */
export async function loadGivenDialect(
  value: string | undefined,
  scenario?: Pick<Scenario, 'dialects'>,
): Promise<LoadedDialect> {
  const { name, tables } = await readGivenDialect(value)
  const dialects = new Dialects(tables)
  for (const [own, settings] of Object.entries(scenario?.dialects ?? {})) dialects.ensure(own, settings)
  return { dialects, dialect: await dialects.load(name ?? dialects.main), table: tables[0] }
}

/**
 * How the client of a dialect finds tasksim.
 * @throws UsageError if there is no dialect with the name
 */
export function clientAddress(dialects: Dialects, name: string): ClientAddress {
  dialects.check(name)
  if (name === dialects.main) return { path: '/api/v1' }
  return CLIENTS[name] ?? OTHER_CLIENTS[name] ?? { path: `/${name}${dialects.own(name)?.prefix ?? ''}` }
}
