import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The reaction of a server to the head of a request. */
export type Respond = (socket: Socket, url: string) => unknown

/** A server on a real socket, which need not speak HTTP. */
export interface HostileServer {
  readonly url: string
  /** The number of requests. */
  readonly requests: number
  /** The number of bytes written. */
  readonly written: number
  /** Resolves when all connections with a request are closed. */
  readonly left: () => Promise<void>
}

/** Starts a server that ends with the test. */
export async function startHostileServer(respond: Respond): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  const used = new Set<Promise<void>>()
  let requests = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('data', (piece: Buffer) => {
      if (!piece.includes('POST /hook ')) return
      requests += 1
      used.add(closed)
      respond(socket, url)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url,
    get requests() {
      return requests
    },
    get written() {
      return [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
    },
    left: async () => {
      await Promise.all(used)
    },
  }
}

/** Writes the same chunk until the client stops reading, or a number of times. */
export function writeForever(socket: Socket, piece: string | Buffer, times = Number.POSITIVE_INFINITY): void {
  let left = times
  const more = () => {
    while (left > 0 && !socket.destroyed && socket.write(piece)) left -= 1
    if (left <= 0) socket.end()
  }
  socket.on('drain', more)
  more()
}
