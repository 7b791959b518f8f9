import { describeValue, UsageError } from '../engine/errors.js'
import { assemble, flawOfShipped } from './layers/assemble.js'
import { keepPath, resolveFiles } from './layers/own-files.js'
import { parseLayer } from './parse-layer.js'
import type { Scenario } from './scenario.js'

/**
 * Parses a scenario from YAML or JSON text. `extends` may name a shipped scenario.
 * @param source its name in errors
 * @throws ScenarioError with every mistake, its line and column; UsageError if it is not a string
 */
export function parseScenario(text: string, source = 'scenario'): Scenario {
  if (typeof text !== 'string')
    throw new UsageError(
      `parseScenario() expects YAML or JSON as text, got ${typeof text === 'object' ? 'an object' : describeValue(text)}`,
    )
  return parseWithBases(text, new Map(), source)
}

/**
 * Parses a scenario that extends others, which are not shipped.
 * @param bases their texts by the names in `extends`
 * @throws ScenarioError with every mistake
 */
export function parseWithBases(
  text: string,
  bases: ReadonlyMap<string, string>,
  source = 'scenario',
): Scenario {
  const flawOfBase = (name: string) => (bases.has(name) ? undefined : flawOfShipped(name))
  const read = (layer: string, from: string, isExtended: boolean) =>
    resolveFiles(parseLayer(layer, from, { isExtended, flawOfBase }), keepPath)
  return assemble(source, read(text, source, false), (name) => {
    const base = bases.get(name)
    return base === undefined ? undefined : read(base, name, true)
  })
}
