import type { Kind, Task } from '../task/task.js'

/** A format in which files are served. */
export interface FileType {
  readonly extension: 'png' | 'mp4' | 'mp3'
  readonly contentType: string
}

const PNG: FileType = { extension: 'png', contentType: 'image/png' }
const TYPES: Readonly<Record<Kind, FileType>> = {
  image: PNG,
  video: { extension: 'mp4', contentType: 'video/mp4' },
  audio: { extension: 'mp3', contentType: 'audio/mpeg' },
  tool: PNG,
  llm: PNG,
}

/** The format of a task's files. */
export function fileTypeOf(task: Pick<Task, 'kind'>): FileType {
  return TYPES[task.kind]
}

/** The path of a file, without origin and signature; with the id of the sandbox that its task is in, if any. */
export function filePath(task: Pick<Task, 'id' | 'kind'>, file: number, sandbox?: string): string {
  return `/files/${sandbox === undefined ? '' : `${sandbox}/`}${task.id}/${file}.${fileTypeOf(task).extension}`
}
