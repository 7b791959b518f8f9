import { resolve } from 'node:path'
import { isRecording } from '../../record/recording/read-recording.js'
import { readReplay } from '../../record/replay/read-replay.js'
import { openSource } from '../learn/open-source.js'
import { startOfFile } from './read-file.js'
import type { ScenarioFile } from './read-scenario-file.js'

/** Whether a file is a recording of `tasksim record`, by its first characters; false if it cannot be read. */
export function isRecordingFile(path: string): boolean {
  return isRecording(startOfFile(path))
}

/**
 * Reads a recording as a scenario.
 * @throws UsageError if it is not valid
 */
export async function readRecordingFile(path: string): Promise<ScenarioFile> {
  const { pieces } = openSource(path, () => {})
  const onIncomplete = ({ line, message }: { readonly line: number; readonly message: string }) =>
    void process.stderr.write(`tasksim: ${path}:${line}: ${message}\n`)
  return { scenario: await readReplay(pieces, { name: path, onIncomplete }), files: [resolve(path)] }
}
