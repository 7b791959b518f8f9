import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client, Task } from './client.js'
import { type Connection, persistently, RequestError } from './request.js'

const LONGEST_DOWNLOAD = 300_000

/** The URLs of what a task has made. */
export function filesOf({ output = {} }: Task): readonly string[] {
  const { images = [], video } = output
  return video === undefined ? images : [...images, video]
}

/** Keeps a file of a task; where its URL has expired, the task gives a fresh one. */
export async function keep(
  client: Client,
  connection: Connection,
  task: Task,
  index: number,
  path: string,
): Promise<void> {
  const fetchTo = (url: string) => persistently(connection, () => download(url, path))
  try {
    await fetchTo(urlOf(task, index))
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 403)) throw error
    await fetchTo(urlOf(await client.retrieve(task.id), index))
  }
}

/** Fetches a file that is whole afterwards, or not there. The file host is somebody else's: it gets no API key. */
async function download(url: string, path: string): Promise<void> {
  const part = `${path}.part`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_DOWNLOAD) })
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
