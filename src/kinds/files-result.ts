import type { Result } from '../engine/tasks/task.js'

/** Most tasks produce one file, and share this result. */
const ONE_FILE: Result = { files: 1, output: undefined }

/** The result of a task that produces files in the default output of its kind. */
export function filesResult(files: number): Result {
  return files === 1 ? ONE_FILE : { files, output: undefined }
}
