import type { Task } from '../tasks/task.js'
import type { ImageSpec } from './media-spec.js'

/** The size of a picture of an output that has none. */
const DEFAULT_SIZE = { width: 1_024, height: 1_024 }

/**
 * A task whose only file is a picture of the output of another task, such as the thumbnail of a video. It has the id,
 * the prompt and the size of the other task.
 */
export function pictureOf(task: Task, format: ImageSpec['format']): Task {
  const { media, plan } = task
  const { width, height } = media !== undefined && 'width' in media ? media : DEFAULT_SIZE
  return {
    ...task,
    media: { kind: 'image', width, height, format, count: 1 },
    plan: { ...plan, files: undefined },
  }
}
