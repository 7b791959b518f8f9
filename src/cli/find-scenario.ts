import { shippedScenario } from '../scenario/language/layers/assemble.js'
import type { ScenarioFile } from './scenario-files.js'
import { looksLikePath } from './scenario-path.js'

/**
 * The scenario that an argument means: a shipped one by its name, or a file. What reads files is loaded only
 * where there is one to read.
 * @throws UsageError where there is no such thing; ScenarioError with every mistake in it
 */
export async function findScenario(argument: string): Promise<ScenarioFile> {
  if (!looksLikePath(argument)) return { scenario: shippedScenario(argument), files: [] }
  const { readScenarioFile } = await import('./scenario-files.js')
  return readScenarioFile(argument)
}
