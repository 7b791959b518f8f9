import { stringsIn } from '../strings-in.js'

/** A file of an output that the page can show. */
export interface OutputFile {
  readonly url: string
  /** The index among the files of the task. */
  readonly index: number
  readonly medium: 'image' | 'video' | 'audio'
}

const FILE = /\/files\/(?:sb_[\w-]+\/)?([\w-]+)\/(\d+)\.(\w+)\?/
const MEDIA: Readonly<Record<string, OutputFile['medium']>> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  webp: 'image',
  gif: 'image',
  svg: 'image',
  mp4: 'video',
  webm: 'video',
  mp3: 'audio',
  wav: 'audio',
}

/** Finds the files of a task anywhere in its output. */
export function filesIn(output: unknown, taskId: string): OutputFile[] {
  return stringsIn(output).flatMap((url) => {
    const [, id, index, extension = ''] = FILE.exec(url) ?? []
    const medium = MEDIA[extension]
    return id === taskId && medium !== undefined ? [{ url, index: Number(index), medium }] : []
  })
}
