/** A file of an output, as it is to be shown. */
export interface OutputFile {
  readonly url: string
  /** Its place among the task's files. */
  readonly place: number
  readonly medium: 'image' | 'video' | 'audio'
}

const FILE = /\/files\/(?:sb_\w+\/)?(task_[A-Za-z0-9]+)\/(\d+)\.(\w+)\?/
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

/** The files of a task that its output names, in whatever place they are. */
export function filesIn(output: unknown, taskId: string): OutputFile[] {
  const found: OutputFile[] = []
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      const [, id, place, extension = ''] = FILE.exec(value) ?? []
      const medium = MEDIA[extension]
      if (id === taskId && medium !== undefined) found.push({ url: value, place: Number(place), medium })
    } else if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) look(each)
  }
  look(output)
  return found
}
