import type { DialectTable } from '../../../dialects/table/dialect-table.js'
import { checkValue } from '../check/check.js'
import { formatPath, ScenarioError } from '../check/mistake.js'
import { readYaml } from '../yaml/read-yaml.js'
import { dialectSchema } from './dialect-schema.js'

/**
 * Parses a dialect file, YAML or JSON.
 * @param source its name in errors, such as its path
 * @throws ScenarioError with every mistake, its line and column
 */
export function parseDialect(text: string, source = 'dialect'): DialectTable {
  const { value, mistakes, placeOf, placeAt } = readYaml(text)
  if (mistakes.length > 0)
    throw new ScenarioError(
      mistakes.map(({ offset, message }) => ({ source, ...placeAt(offset), path: '', message })),
    )
  const result = checkValue(dialectSchema, value ?? {})
  if ('value' in result) return result.value
  const flaws = result.flaws.map(({ path, atKey, message }) => ({
    source,
    ...placeOf(path, atKey),
    path: formatPath(path),
    message,
  }))
  throw new ScenarioError(flaws.sort((one, other) => one.line - other.line || one.column - other.column))
}
