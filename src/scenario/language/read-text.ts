import type { Scenario } from '../model/scenario.js'
import { assemble } from './layers/assemble.js'
import { asItIs, resolveFiles } from './layers/own-files.js'
import { parseLayer } from './parse-layer.js'

/**
 * Reads a scenario from YAML or JSON text. `extends:` may name a shipped scenario.
 * @param source how to call it in errors
 * @throws ScenarioError with every mistake, each with line and column
 */
export function parseScenario(text: string, source = 'scenario'): Scenario {
  return assemble(source, resolveFiles(parseLayer(text, source), asItIs))
}
