import { checkValue, locateFlaws } from '../../scenario/check/check.js'
import { foreignFormat, foreignStart } from '../../scenario/check/foreign.js'
import { ScenarioError } from '../../scenario/check/mistake.js'
import { isMapping } from '../../scenario/mapping.js'
import { scenarioSchema } from '../../scenario/schema/scenario.js'
import { readYaml } from '../../scenario/yaml/read-yaml.js'
import type { DialectTable } from '../table/dialect-table.generated.js'
import { flawsOfTexts } from './check-texts.js'
import { dialectSchema } from './dialect-schema.js'

const FIELDS: readonly string[] = Object.keys(dialectSchema.entries)

const NOT_A_DIALECT =
  'the file is not a dialect: expected YAML or JSON with fields such as `statuses`, `task` and `operations`'

const A_SCENARIO =
  'the file is a scenario, not a dialect: pass it as the scenario, without `--dialect`, or to `parseScenario`'

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
  const { value, mistakes, positionOf, positionAt } = readYaml(text, 'dialect file')
  const foreign = mistakes.length > 0 ? foreignStart(text, source) : foreignFormat(value, source)
  if (foreign !== undefined) throw new ScenarioError([{ source, path: '', message: foreign }])
  if (mistakes.length > 0)
    throw new ScenarioError(
      mistakes.map(({ offset, message }) => ({ source, ...positionAt(offset), path: '', message })),
    )
  if (!isDialectLike(value)) {
    const message = isMapping(value) && ownFields(value).ofScenario > 0 ? A_SCENARIO : NOT_A_DIALECT
    throw new ScenarioError([{ source, path: '', message }])
  }
  const result = checkValue(dialectSchema, value)
  const flaws = 'flaws' in result ? result.flaws : flawsOfTexts(value)
  if ('value' in result && flaws.length === 0) return result.value
  throw locateFlaws(flaws, source, positionOf)
}

/** The fields without which no dialect is complete. */
const DISTINCTIVE = ['ids', 'statuses', 'operations']
const SCENARIO_FIELDS: readonly string[] = Object.keys(scenarioSchema.entries)
const AT_START_OF_LINE = new RegExp(`^(?:${DISTINCTIVE.join('|')})[ \\t]*:`, 'm')

/** Whether a text is a dialect file rather than a scenario, even if it is not valid YAML. */
export function looksLikeDialect(text: string): boolean {
  const { value, mistakes } = readYaml(text)
  if (mistakes.length > 0) return AT_START_OF_LINE.test(text)
  if (!isMapping(value)) return false
  if (DISTINCTIVE.some((name) => Object.hasOwn(value, name))) return true
  const { ofDialect, ofScenario } = ownFields(value)
  return ofDialect > ofScenario
}

/** The number of fields in a mapping that only dialects have, and that only scenarios have. */
function ownFields(value: object) {
  const names = Object.keys(value)
  return {
    ofDialect: names.filter((name) => FIELDS.includes(name) && !SCENARIO_FIELDS.includes(name)).length,
    ofScenario: names.filter((name) => SCENARIO_FIELDS.includes(name) && !FIELDS.includes(name)).length,
  }
}
