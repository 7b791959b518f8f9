import { isScenarioPath, shippedScenario } from '../scenario/language/shipped.js'
import type { ScenarioFile } from './scenario-files.js'

/**
 * Finds a shipped scenario by name, or reads a scenario file by path. The code that reads files is loaded on first use.
 * @throws UsageError if the scenario does not exist; ScenarioError with every mistake in it
 */
export async function findScenario(argument: string): Promise<ScenarioFile> {
  if (!isScenarioPath(argument)) return { scenario: shippedScenario(argument), files: [] }
  const { readScenarioFile } = await import('./scenario-files.js')
  return readScenarioFile(argument)
}
