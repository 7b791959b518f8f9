import type { Production } from '../engine/tasks/kinds.js'
import type { Result, Task } from '../engine/tasks/task.js'

/** Produces files that have a duration. The usage is the sum of their seconds. */
export function produceClip({ media }: Pick<Task, 'media'>): Production {
  const files = media?.kind === 'video' ? (media.count ?? 1) : 1
  const usage = media !== undefined && 'seconds' in media ? { seconds: files * media.seconds } : {}
  return { result: filesResult(files), usage }
}

/** Most tasks produce one file, and share this result. */
const ONE_FILE: Result = { files: 1, output: undefined }

/** The result of a task that produces files in the default output of its kind. */
export function filesResult(files: number): Result {
  return files === 1 ? ONE_FILE : { files, output: undefined }
}
