import type { DialectTable } from '../../dialects/table/dialect-table.js'
import { isScenarioPath } from '../../scenario/language/shipped.js'

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
