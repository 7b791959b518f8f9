import { RECORDING_VERSION, type RecordingEntry, type RecordingHeader } from './recording.js'

/** Writes the first line of a recording. */
export function headerLine(header: Omit<RecordingHeader, 'tasksim' | 'version'>): string {
  // The reader recognizes a recording by its start.
  const whole: RecordingHeader = { tasksim: 'recording', version: RECORDING_VERSION, ...header }
  return `${JSON.stringify(whole)}\n`
}

/** Writes the line of an entry. It has no secrets only if a `Redactor` has made the entry. */
export function entryLine(entry: RecordingEntry): string {
  return `${JSON.stringify(entry)}\n`
}
