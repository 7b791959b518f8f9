import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const CONNECTIONS = 16
const HEAD_END = '\r\n\r\n'

/** Downloads a file repeatedly over keep-alive connections, and returns the downloads per second. */
export async function downloadRate(port: number, path: string, milliseconds: number): Promise<number> {
  const begin = performance.now()
  const clients = Array.from({ length: CONNECTIONS }, () => new Downloader(port, path))
  const all = Promise.all(clients.map(({ done }) => done))
  await Promise.race([all, wait(milliseconds)])
  for (const client of clients) client.stop()
  await all
  const downloads = clients.reduce((sum, { downloaded }) => sum + downloaded, 0)
  return (downloads * 1_000) / (performance.now() - begin)
}

/** One connection. It counts the bytes of an answer and reads only the head. */
class Downloader {
  downloaded = 0
  readonly done: Promise<void>
  readonly #socket: Socket
  readonly #request: string
  #left = 0
  #stopping = false
  #fail: (error: Error) => void = () => {}

  constructor(port: number, path: string) {
    this.#request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.done = new Promise((resolve, reject) => {
      this.#fail = reject
      this.#socket.once('error', reject)
      this.#socket.once('close', () => (this.#stopping ? resolve() : reject(new Error('connection lost'))))
    })
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.write(this.#request)
  }

  stop(): void {
    this.#stopping = true
  }

  #receive(chunk: Buffer): void {
    this.#left = this.#left === 0 ? this.#begin(chunk) : this.#left - chunk.length
    if (this.#left > 0) return
    this.downloaded += 1
    if (this.#stopping) this.#socket.end()
    else this.#socket.write(this.#request)
  }

  /** Returns the number of missing bytes of a new answer. A head arrives in one piece. */
  #begin(chunk: Buffer): number {
    const end = chunk.indexOf(HEAD_END)
    const head = chunk.toString('latin1', 0, end)
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    if (head.startsWith('HTTP/1.1 200') && length !== undefined)
      return Number(length) - (chunk.length - end - HEAD_END.length)
    this.#fail(new Error(`Expected a file, got: ${head.slice(0, 300)}`))
    this.#socket.destroy()
    return 0
  }
}
