import type { Production } from '../engine/tasks/kinds.js'
import type { Task } from '../engine/tasks/task.js'
import { filesResult } from './files-result.js'

/** Produces one file that has a duration. The usage is in seconds. */
export function produceClip({ media }: Pick<Task, 'media'>): Production {
  const usage = media !== undefined && 'seconds' in media ? { seconds: media.seconds } : {}
  return { result: filesResult(1), usage }
}
