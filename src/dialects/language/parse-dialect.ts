import { checkValue, placeFlaws } from '../../scenario/check/check.js'
import { foreignFormat, foreignStart } from '../../scenario/check/foreign.js'
import { ScenarioError } from '../../scenario/check/mistake.js'
import { isMapping } from '../../scenario/mapping.js'
import { readYaml } from '../../scenario/yaml/read-yaml.js'
import type { DialectTable } from '../table/dialect-table.generated.js'
import { dialectSchema } from './dialect-schema.js'

const FIELDS: readonly string[] = Object.keys(dialectSchema.entries)

const NOT_A_DIALECT =
  'the file is not a dialect: expected YAML or JSON with fields such as `statuses`, `task` and `operations`'

/** Whether a value is a mapping with at least one field of a dialect. */
function isDialectLike(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMapping(value) && Object.keys(value).some((name) => FIELDS.includes(name))
}

/**
 * Parses a dialect file, YAML or JSON.
 * @param source its name in errors, such as its path
 * @throws ScenarioError with every mistake, its line and column
 */
export function parseDialect(text: string, source = 'dialect'): DialectTable {
  const { value, mistakes, placeOf, placeAt } = readYaml(text, 'dialect file')
  const foreign = mistakes.length > 0 ? foreignStart(text, source) : foreignFormat(value, source)
  if (foreign !== undefined) throw new ScenarioError([{ source, path: '', message: foreign }])
  if (mistakes.length > 0)
    throw new ScenarioError(
      mistakes.map(({ offset, message }) => ({ source, ...placeAt(offset), path: '', message })),
    )
  if (!isDialectLike(value)) throw new ScenarioError([{ source, path: '', message: NOT_A_DIALECT }])
  const result = checkValue(dialectSchema, value)
  if ('value' in result) return result.value
  throw placeFlaws(result.flaws, source, placeOf)
}

/** Fields of dialects that scenarios do not have. */
const DISTINCTIVE = ['ids', 'statuses', 'operations']
const AT_START_OF_LINE = new RegExp(`^(?:${DISTINCTIVE.join('|')})[ \\t]*:`, 'm')

/** Whether a text is a dialect file rather than a scenario, even if it is not valid YAML. */
export function looksLikeDialect(text: string): boolean {
  const { value, mistakes } = readYaml(text)
  if (mistakes.length > 0) return AT_START_OF_LINE.test(text)
  return isMapping(value) && DISTINCTIVE.some((name) => Object.hasOwn(value, name))
}
