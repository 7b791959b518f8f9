import { Chance } from '../random.js'
import type { Task } from '../tasks/task.js'

/** A format in which files are served. */
export interface FileType {
  /** The ending of a file's name, without the dot. */
  readonly extension: string
  readonly contentType: string
}

/** By the ending of a file's name: what tasks make, and what a scenario may hand out instead. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  pdf: 'application/pdf',
  glb: 'model/gltf-binary',
  zip: 'application/zip',
}

/** The endings of all files that can be served. */
export const EXTENSIONS: readonly string[] = Object.keys(CONTENT_TYPES)

/** What the type of a task's files depends on. */
type Maker = Pick<Task, 'id' | 'media' | 'plan'>

/** The format of a file of a task; a file that neither the kind nor the scenario names is a picture. */
export function fileTypeOf(task: Maker, file: number): FileType {
  const own = ownFileOf(task, file)
  const ending = own === undefined ? (task.media?.format ?? 'png') : extensionOf(own)
  const extension = ending === 'jpeg' ? 'jpg' : ending
  return { extension, contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream' }
}

/** The path of a file, without origin and signature; with the id of the sandbox that its task is in, if any. */
export function filePath(task: Maker, file: number, sandbox?: string): string {
  return `/files/${sandbox === undefined ? '' : `${sandbox}/`}${task.id}/${file}.${fileTypeOf(task, file).extension}`
}

/**
 * Which of the files that the scenario names stands for a file of a task: one that the task's chance picks, and for
 * further files those that follow it, so that a task hands out none twice before it has handed out all.
 * @returns its path, or undefined where the scenario names none
 */
export function ownFileOf({ id, plan: { files } }: Maker, file: number): string | undefined {
  if (files === undefined) return undefined
  const first = Chance.of(id).stream('files').int(files.length)
  return files[(first + file) % files.length]
}

/** The ending of a path in lower case, without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}
