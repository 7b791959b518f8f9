import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRecording } from '../../record/recording/read-recording.js'
import { readReplay } from '../../record/replay/read-replay.js'
import { openSource } from '../learn/open-source.js'
import type { ScenarioFile } from './read-scenario-file.js'

/** Bytes that show whether a file is a recording. */
const START = 200

/** Whether a file is a recording of `tasksim record`, by its first characters; false if it cannot be read. */
export function isRecordingFile(path: string): boolean {
  const start = new Uint8Array(START)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, start)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
  return isRecording(new TextDecoder().decode(start))
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
