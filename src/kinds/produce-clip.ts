import type { Production } from '../engine/tasks/kinds.js'
import type { Result, Task } from '../engine/tasks/task.js'

/** Produces one file that has a duration. The usage is in seconds. */
export function produceClip({ media }: Pick<Task, 'media'>): Production {
  const usage = media !== undefined && 'seconds' in media ? { seconds: media.seconds } : {}
  return { result: filesResult(1), usage }
}

/** Most tasks produce one file, and share this result. */
const ONE_FILE: Result = { files: 1, output: undefined }

/** The result of a task that produces files in the default output of its kind. */
export function filesResult(files: number): Result {
  return files === 1 ? ONE_FILE : { files, output: undefined }
}
