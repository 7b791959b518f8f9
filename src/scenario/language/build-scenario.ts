import type { ScenarioLayer } from '../model/layer.js'
import type { Scenario } from '../model/scenario.js'
import { checkLayer } from './check/check.js'
import { excessOf } from './check/limits.js'
import { formatPath, MOST_MISTAKES, ScenarioError } from './check/mistake.js'
import { assemble } from './layers/assemble.js'
import { asItIs, resolveFiles } from './layers/own-files.js'
import type { ScenarioInput } from './scenario-input.generated.js'
import { isMapping } from './schema/forms.js'

/**
 * Checks a scenario that is written in code.
 * @throws ScenarioError with every mistake
 */
export function buildScenario(input: ScenarioInput, source = 'inline'): Scenario {
  const layer = checkedLayer(input, source)
  return assemble(source, resolveFiles({ source, layer, text: JSON.stringify(input, null, 2) }, asItIs))
}

/**
 * Checks one layer that is written in code.
 * @throws ScenarioError with every mistake
 */
export function checkedLayer(input: ScenarioInput, source: string): ScenarioLayer {
  const excess = excessOf(input)
  if (excess !== undefined) throw new ScenarioError([{ source, path: '', message: excess }])
  const result = checkLayer(withoutUndefined(input))
  if ('layer' in result) return result.layer
  const first = result.flaws.slice(0, MOST_MISTAKES)
  throw new ScenarioError(
    first.map(({ path, message }) => ({ source, path: formatPath(path), message })),
    result.flaws.length - first.length,
  )
}

/** What is undefined in code says nothing, and must not hide what a lower layer says. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isMapping(value)) return value
  const said = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(said.map(([key, inner]) => [key, withoutUndefined(inner)]))
}
