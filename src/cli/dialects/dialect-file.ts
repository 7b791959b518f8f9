import { BUILT_IN_DIALECTS } from '../../dialects/built-in.js'
import { flawOfOwnName } from '../../dialects/dialects.js'
import { parseDialect } from '../../dialects/language/parse-dialect.js'
import type { DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { UsageError } from '../../engine/errors.js'
import { foreignStart } from '../../scenario/check/foreign.js'
import { ScenarioError } from '../../scenario/check/mistake.js'
import { readTextFile, startOfFile } from '../files/read-file.js'

const KNOWN = `the name of a dialect: ${[...BUILT_IN_DIALECTS.keys()].join(', ')}`

/**
 * Reads a dialect file.
 * @throws UsageError if it cannot be read; ScenarioError with every mistake, its line and column
 */
export function readDialectFile(path: string): DialectTable {
  const foreign = foreignStart(startOfFile(path), path)
  if (foreign !== undefined) throw new UsageError(`Cannot read the dialect ${path}: ${foreign}.`)
  const table = parseDialect(readTextFile(path, 'dialect', KNOWN), path)
  const flaw = flawOfOwnName(table.name)
  if (flaw === undefined) return table
  const message = `got ${JSON.stringify(table.name)}; ${flaw}`
  throw new ScenarioError([{ source: path, path: 'name', message }])
}
