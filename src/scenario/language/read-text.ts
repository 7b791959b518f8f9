import { UsageError } from '../../engine/errors.js'
import { describeValue } from '../../engine/known-options.js'
import type { Scenario } from '../model/scenario.js'
import { assemble, flawOfShipped } from './layers/assemble.js'
import { keepPath, resolveFiles } from './layers/own-files.js'
import { parseLayer } from './parse-layer.js'

/**
 * Parses a scenario from YAML or JSON text. `extends` may name a shipped scenario.
 * @param source its name in errors
 * @throws ScenarioError with every mistake, its line and column; UsageError if it is no text
 */
export function parseScenario(text: string, source = 'scenario'): Scenario {
  if (typeof text !== 'string')
    throw new UsageError(
      `parseScenario() expects YAML or JSON as text, got ${typeof text === 'object' ? 'an object' : describeValue(text)}`,
    )
  return assemble(source, resolveFiles(parseLayer(text, source, { flawOfBase: flawOfShipped }), keepPath))
}
