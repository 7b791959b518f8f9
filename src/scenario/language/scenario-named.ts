import { UsageError } from '../../engine/errors.js'
import type { Scenario } from '../model/scenario.js'
import { shippedScenario } from './layers/assemble.js'

/** YAML or JSON has a mapping at its top; a name or a path has no line break, no brace and no colon with a blank. */
const TEXT = /[\n{]|:(?:\s|$)/
const PATH = /[/\\]|\.(?:ya?ml|json)$/i

/**
 * The scenario of a name that is given in code.
 * @throws UsageError where none of the name is shipped; for the path or the text of a scenario, with the code to write
 */
export function scenarioNamed(name: string): Scenario {
  const isText = TEXT.test(name)
  if (!isText && !PATH.test(name)) return shippedScenario(name)
  const text = isText ? 'text' : `await readFile(${JSON.stringify(name)}, "utf8")`
  throw new UsageError(
    `Expected \`scenario\` to be the name of a shipped scenario or an object, got a ${isText ? 'text' : 'path'}. Write: scenario: parseScenario(${text})`,
  )
}
