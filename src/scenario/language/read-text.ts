import type { Scenario } from '../model/scenario.js'
import { assemble } from './layers/assemble.js'
import { keepPath, resolveFiles } from './layers/own-files.js'
import { parseLayer } from './parse-layer.js'

/**
 * Parses a scenario from YAML or JSON text. `extends` may name a shipped scenario.
 * @param source its name in errors
 * @throws ScenarioError with every mistake, its line and column
 */
export function parseScenario(text: string, source = 'scenario'): Scenario {
  return assemble(source, resolveFiles(parseLayer(text, source), keepPath))
}
