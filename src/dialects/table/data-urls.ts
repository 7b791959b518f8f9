import { fileTypeOf } from '../../engine/assets/asset.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Call } from '../call.js'

/** In bytes: a multiple of 3, so that the texts of the pieces can be joined. */
const PIECE = 24_576

/** The output files of a task as data URLs (RFC 2397), in their order. Files that are not cached are rendered. */
export async function dataUrlsOf({ files }: Call['sim'], task: Task): Promise<readonly string[]> {
  const urls: string[] = []
  for (let file = 0; file < (task.result?.files ?? 0); file++) {
    const { bytes } = await files.get(task, file)
    urls.push(`data:${fileTypeOf(task, file).contentType};base64,${base64(bytes)}`)
  }
  return urls
}

function base64(bytes: Uint8Array): string {
  const texts: string[] = []
  for (let start = 0; start < bytes.length; start += PIECE)
    texts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE))))
  return texts.join('')
}
