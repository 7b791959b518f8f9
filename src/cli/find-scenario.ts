import { isScenarioPath, shippedScenario } from '../scenario/language/shipped.js'
import type { ScenarioFile } from './scenario-files.js'

/**
 * Finds a scenario by its argument: a shipped one by name, or a file by path. The code that reads files is loaded on
 * first use.
 * @throws UsageError if there is no such scenario; ScenarioError with every mistake
 */
export async function findScenario(argument: string): Promise<ScenarioFile> {
  if (!isScenarioPath(argument)) return { scenario: shippedScenario(argument), files: [] }
  const { readScenarioFile } = await import('./scenario-files.js')
  return readScenarioFile(argument)
}
