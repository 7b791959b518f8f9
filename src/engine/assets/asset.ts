import { Chance } from '../random.js'
import type { Task } from '../tasks/task.js'

/** The format of a file. */
export interface FileType {
  /** Without the dot. */
  readonly extension: string
  readonly contentType: string
}

/** The content types of rendered files and scenario files, by file extension. */
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

/** The extensions of all files that the simulator can serve. */
export const EXTENSIONS: readonly string[] = Object.keys(CONTENT_TYPES)

/** The properties of a task that determine its files. */
type FileOwner = Pick<Task, 'id' | 'media' | 'plan'>

/** The format of a file of a task; PNG if neither the kind nor the scenario defines it. */
export function fileTypeOf(task: FileOwner, file: number): FileType {
  const recorded = task.plan.recorded?.file(file)
  if (recorded !== undefined) return typeOfContent(recorded.contentType)
  const ownFile = scenarioFileOf(task, file)
  const name = ownFile === undefined ? formatOf(task) : extensionOf(ownFile)
  const extension = name === 'jpeg' ? 'jpg' : name
  return { extension, contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream' }
}

/** The format of a content type. Files of an unknown one are served as text, under their own content type. */
function typeOfContent(contentType: string): FileType {
  const [type = ''] = contentType.split(';')
  const [extension = 'txt'] = Object.entries(CONTENT_TYPES).find(([, known]) => known.startsWith(type)) ?? []
  return { extension, contentType }
}

function formatOf({ media }: FileOwner): string {
  return media !== undefined && 'format' in media ? media.format : 'png'
}

/** The path of a file, without origin and signature. In a sandbox, the path contains the id of the sandbox. */
export function filePath(task: FileOwner, file: number, sandbox?: string): string {
  return pathInFiles(`${task.id}/${file}.${fileTypeOf(task, file).extension}`, sandbox)
}

/** A path below those of all files, or below those of a sandbox. */
export function pathInFiles(path: string, sandbox: string | undefined): string {
  return sandbox === undefined ? `/files/${path}` : `/files/${sandbox}/${path}`
}

/**
 * Selects the scenario file that serves as a file of a task. The first one is random and the others follow in order, so
 * a task uses all scenario files before it repeats one.
 * @returns the path; undefined if the scenario has no files
 */
export function scenarioFileOf({ id, plan: { files } }: FileOwner, file: number): string | undefined {
  if (files === undefined) return undefined
  const first = Chance.of(id).stream('files').int(files.length)
  return files[(first + file) % files.length]
}

/** The extension of a path in lower case, without the dot; empty if there is none. */
export function extensionOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}
