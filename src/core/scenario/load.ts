import { assemble, layered } from './assemble.js'
import { checkLayer } from './check.js'
import { formatPath, ScenarioError } from './mistake.js'
import { asItIs, resolveFiles } from './own-files.js'
import type { Scenario } from './scenario.js'
import type { ScenarioInput, ScenarioLayer } from './schema.js'
import { isMapping } from './schema-kinds.js'

/**
 * Checks a scenario that is written in code.
 * @throws ScenarioError with every mistake
 */
export function buildScenario(input: ScenarioInput, source = 'inline'): Scenario {
  const layer = checkedLayer(input, source)
  return assemble(source, resolveFiles({ source, layer, text: JSON.stringify(input, null, 2) }, asItIs))
}

/**
 * A scenario with some settings laid over it.
 * @throws ScenarioError with every mistake
 */
export function patched(scenario: Scenario, patch: ScenarioInput): Scenario {
  const { extends: base, ...layer } = checkedLayer(patch, 'patch')
  if (base === undefined) return layered(scenario.name, layer, scenario)
  const message = 'a patch builds on the scenario in force: leave `extends` out, or replace the scenario'
  throw new ScenarioError([{ source: 'patch', path: 'extends', message }])
}

function checkedLayer(input: ScenarioInput, source: string): ScenarioLayer {
  const result = checkLayer(withoutUndefined(input))
  if ('layer' in result) return result.layer
  throw new ScenarioError(
    result.flaws.map(({ path, message }) => ({ source, path: formatPath(path), message })),
  )
}

/** What is undefined in code says nothing, and must not hide what a lower layer says. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isMapping(value)) return value
  const said = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(said.map(([key, inner]) => [key, withoutUndefined(inner)]))
}
