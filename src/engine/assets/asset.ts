import { Chance } from '../random.js'
import type { Task } from '../tasks/task.js'
import type { ImageSpec } from './media-spec.js'

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

/** Renders output files. A pure function of the task and the index of the file. */
export interface Renderer {
  /** Renders one file. The same task and index always give the same bytes. */
  render(task: Task, file: number): Promise<Uint8Array<ArrayBuffer>>
}
