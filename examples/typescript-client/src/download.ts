import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client, Task } from './client.js'
import { type Connection, RequestError, withRetries } from './request.js'

const DOWNLOAD_TIMEOUT = 300_000

/** Returns the output URLs of a task. */
export function filesOf({ output = {} }: Task): readonly string[] {
  const { images = [], video } = output
  return video === undefined ? images : [...images, video]
}

/** Saves a file of a task. If its URL has expired, retrieves the task for a fresh one. */
export async function saveFile(
  client: Client,
  connection: Connection,
  task: Task,
  index: number,
  path: string,
): Promise<void> {
  const fetchTo = (url: string) => withRetries(connection, () => download(url, path))
  try {
    await fetchTo(urlOf(task, index))
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 403)) throw error
    await fetchTo(urlOf(await client.retrieve(task.id), index))
  }
}

/** Downloads to a temporary file first, so that an incomplete file never remains. Sends no API key to the file host. */
async function download(url: string, path: string): Promise<void> {
  const part = `${path}.part`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT) })
    if (!response.ok || response.body === null)
      throw new RequestError(`${new URL(url).pathname}: ${response.status}`, response.status)
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error instanceof RequestError ? error : new RequestError(`${new URL(url).pathname}: ${error}`)
  }
}

function urlOf(task: Task, index: number): string {
  const url = filesOf(task)[index]
  if (url === undefined) throw new Error(`${task.id} has no file ${index}`)
  return url
}
