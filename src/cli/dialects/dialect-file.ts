import { BUILT_IN_DIALECTS } from '../../dialects/built-in.js'
import { checkOwnName } from '../../dialects/own-dialects.js'
import type { DialectTable } from '../../dialects/table/dialect-table.js'
import { parseDialect } from '../../scenario/language/dialect/parse-dialect.js'
import { readTextFile } from '../read-text-file.js'

const KNOWN = `the name of a dialect: ${[...BUILT_IN_DIALECTS.keys()].join(', ')}`

/**
 * Reads a dialect file.
 * @throws UsageError if it cannot be read or has a name that is taken; ScenarioError with every mistake, its line and column
 */
export function readDialectFile(path: string): DialectTable {
  const table = parseDialect(readTextFile(path, 'dialect', KNOWN), path)
  checkOwnName(table.name)
  return table
}
