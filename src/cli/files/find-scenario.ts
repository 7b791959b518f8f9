import { statSync } from 'node:fs'
import { isScenarioPath } from '../../scenario/scenario-path.js'
import { SHIPPED_NAMES, shippedScenario } from '../../scenario/shipped.js'
import type { ScenarioFile } from './read-scenario-file.js'

/**
 * Finds a shipped scenario by name, or reads a scenario file or a recording by path. The code that reads files is loaded
 * on first use.
 * @param onFile called with every file of the scenario, even if it cannot be read
 * @throws UsageError if the scenario does not exist; ScenarioError with every mistake in it
 */
export async function findScenario(argument: string, onFile?: (file: string) => void): Promise<ScenarioFile> {
  if (!isFilePath(argument)) return { scenario: shippedScenario(argument), files: [] }
  const { isRecordingFile, readRecordingFile } = await import('./read-recording-file.js')
  if (isRecordingFile(argument)) return readRecordingFile(argument)
  const { readScenarioFile } = await import('./read-scenario-file.js')
  return readScenarioFile(argument, onFile)
}

/** Whether an argument is the path of a file, whatever its extension is, not the name of a shipped scenario. */
export function isFilePath(argument: string): boolean {
  return isScenarioPath(argument) || (!SHIPPED_NAMES.includes(argument) && isFile(argument))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
