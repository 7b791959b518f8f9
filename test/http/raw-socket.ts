import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** How the other side ended the connection: normally, or by a reset. */
export type End = 'FIN' | 'RST'

/** A TCP connection without an HTTP parser. */
export interface RawSocket {
  /** All bytes received so far, one character for each byte. */
  readonly received: string
  /** How the other side has ended the connection, if it has. */
  readonly ended: End | undefined
  write(text: string): void
  /** Resolves to all bytes received, as soon as they meet a condition. */
  until(isEnough: (received: string) => boolean): Promise<string>
  /** Resolves to all bytes received, as soon as the other side has ended the connection. */
  end(): Promise<{ received: string; ended: End }>
  /** Stops reading. */
  pause(): void
  resume(): void
  close(): void
}

/** Opens a connection that ends with the test. */
export async function openSocket(origin: string): Promise<RawSocket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).setEncoding('latin1')
  let received = ''
  let ended: End | undefined
  let change = () => {}
  const changed = () =>
    new Promise<void>((resolve) => {
      change = resolve
    })
  const end = (how: End) => {
    ended = how
    change()
  }
  socket.on('data', (chunk: string) => {
    received += chunk
    change()
  })
  // If a reset arrives together with the last bytes, Node also reports it as an end, but then writing fails.
  socket.on('end', () => socket.write('\n', (error) => end(error ? 'RST' : 'FIN')))
  socket.on('error', () => end('RST'))
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return {
    get received() {
      return received
    },
    get ended() {
      return ended
    },
    write: (text) => void socket.write(text),
    async until(isEnough) {
      while (!isEnough(received)) {
        if (ended !== undefined) throw new Error(`The connection ended after ${JSON.stringify(received)}`)
        await changed()
      }
      return received
    },
    async end() {
      while (ended === undefined) await changed()
      return { received, ended }
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  }
}

const ALWAYS = 'Host: localhost\r\nAuthorization: Bearer sk_live_local\r\n'
const LAST = 'Connection: close\r\n'

/** Returns a request without a body, after which the server ends the connection by default. */
export function plainRequest(line: string, headers = LAST): string {
  return `${line} HTTP/1.1\r\n${ALWAYS}${headers}\r\n`
}

/** Returns a request to create a task, after which the server ends the connection. */
export function createRequest(body: object): string {
  const text = JSON.stringify(body)
  const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
  return `POST /api/v1/tasks HTTP/1.1\r\n${ALWAYS}${LAST}${about}\r\n${text}`
}

/** Sends a request on a new connection, and waits for the end of the connection. */
export async function exchange(origin: string, request: string): Promise<{ received: string; ended: End }> {
  const socket = await openSocket(origin)
  socket.write(request)
  return socket.end()
}

/** Splits an answer into its HTTP parts, without the Date header. */
export function parts(received: string): { line: string; headers: string[]; body: string } {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) throw new Error(`The headers have no end: ${received}`)
  const [line = '', ...headers] = received.slice(0, end).split('\r\n')
  return {
    line,
    headers: headers.filter((header) => !/^date: /i.test(header)),
    body: received.slice(end + 4),
  }
}
