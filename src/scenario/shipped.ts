import { UsageError } from '../engine/errors.js'
import { suggest } from '../engine/suggest.js'
import { assemble, shippedLayer } from './layers/assemble.js'
import type { Scenario } from './scenario.js'
import { isScenarioPath } from './scenario-path.js'
import { SHIPPED } from './shipped.generated.js'

/** The names of the shipped scenarios. */
export const SHIPPED_NAMES: readonly string[] = Object.keys(SHIPPED)

/**
 * Returns a shipped scenario.
 * @throws UsageError if there is none with this name
 */
export function shippedScenario(name: string): Scenario {
  const shipped = shippedLayer(name)
  if (shipped !== undefined) return assemble(name, shipped)
  throw new UsageError(
    `There is no shipped scenario ${JSON.stringify(name)}: ${suggest(name, SHIPPED_NAMES)}`,
  )
}

/** Returns the file of a shipped scenario with its comments. Returns undefined if there is none with this name. */
export async function shippedText(name: string): Promise<string | undefined> {
  const { TEXTS } = await import('./shipped-texts.generated.js')
  return Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined
}

/** YAML or JSON has a line break, a brace, or a colon before a space. A name or a path has none of these. */
const TEXT = /[\n{]|:(?:\s|$)/

/**
 * The scenario that a name or an object means.
 * @throws UsageError if no shipped scenario has the name, or the object is not a result of `defineScenario` or
 * `parseScenario`
 */
export function completeScenario(given: Scenario | string): Scenario {
  if (typeof given === 'string') return scenarioNamed(given)
  if (typeof given === 'object' && given !== null && 'catalog' in given) return given
  const shown = typeof given === 'object' && given !== null ? 'an object' : String(given)
  throw new UsageError(
    'Expected `scenario` to be the name of a shipped scenario, or a result of `defineScenario` or `parseScenario`, ' +
      `got ${shown}. Write: defineScenario({ ... })`,
  )
}

/**
 * Returns the shipped scenario that an option in code names.
 * @throws UsageError if there is none. For the path or the text of a scenario, the message has the code to write
 */
function scenarioNamed(name: string): Scenario {
  const isText = TEXT.test(name)
  if (!isText && !isScenarioPath(name)) return shippedScenario(name)
  const text = isText ? 'text' : `await readFile(${JSON.stringify(name)}, "utf8")`
  throw new UsageError(
    `Expected \`scenario\` to be the name of a shipped scenario or an object, got a ${isText ? 'text' : 'path'}. Write: scenario: parseScenario(${text})`,
  )
}
