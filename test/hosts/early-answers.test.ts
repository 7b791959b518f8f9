import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { openSocket, parts } from '../http/raw-socket.js'
import { simulate } from '../support/simulations.js'

async function serve() {
  const sim = simulate()
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
    expect(errors).toEqual([])
  })
  return new URL(baseUrl).origin
}

/** Larger than the buffers of a connection. */
const LENGTH = 20_000_000
const KEY = 'Authorization: Bearer k\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const request = (line: string, headers: string, length: number) =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n${headers}\r\n`

/** Requests that are rejected by their headers alone. */
const REJECTED: [number, string][] = [
  [401, request('POST /v1/tasks', JSON_TYPE, LENGTH)],
  [404, request('POST /v1/nothing', KEY + JSON_TYPE, LENGTH)],
  [405, request('PUT /v1/tasks', KEY + JSON_TYPE, LENGTH)],
  [413, request('POST /v1/tasks', KEY + JSON_TYPE, LENGTH)],
  [415, request('POST /v1/tasks', `${KEY}Content-Type: text/plain\r\n`, LENGTH)],
]

it.each(REJECTED)(
  'the server reads the rest of a request after an early answer with %i',
  async (status, head) => {
    const { port } = new URL(await serve())
    // On a busy machine, the server would take the pauses of this client for silence.
    useFakeTimers()
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    socket.write(head)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const ended = once(socket.resume(), 'close')
    // Fails if the other side has closed the connection.
    await new Promise<void>((resolve, reject) =>
      socket.end('x'.repeat(LENGTH), (error?: Error | null) => (error ? reject(error) : resolve())),
    )
    await ended
  },
)

it.each(REJECTED)(
  'the server answers with %i without a 100 if the client waits for one',
  async (status, head) => {
    const socket = await openSocket(await serve())
    socket.write(head.replace('Connection: close', 'Expect: 100-continue'))
    const received = await socket.until((text) => text.includes('request_id'))
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(parts(received).headers).toContain('connection: close')
  },
)

it('the server sends a 100 to a client that waits for one, once its headers are valid', async () => {
  const origin = await serve()
  const socket = await openSocket(origin)
  const body = '{"model":"acme/image-1","input":{}}'
  const head = request('POST /v1/tasks', KEY + JSON_TYPE, body.length)
  socket.write(head.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'))
  await socket.until((received) => received === 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write(body)
  expect((await socket.end()).received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
})

it('the server reads no more than 100 MB of a rejected request', async () => {
  const socket = await rejected(await serve())
  const chunk = Buffer.alloc(8 * 1024 * 1024)
  let sent = 0
  while (sent < 20 && (await isSent(socket, chunk))) sent += 1
  expect(sent).toBeGreaterThanOrEqual(12)
  expect(sent).toBeLessThan(20)
})

it.each([
  ['sends nothing', 2, ''],
  ['sends a byte now and then', 7, 'x'],
])('the server stops reading from a client that %s', async (_, most, bytes) => {
  const socket = await rejected(await serve())
  let waits = 0
  while (vi.getTimerCount() > 0) {
    if (bytes !== '') await isSent(socket, Buffer.from(bytes))
    await reachesServer()
    vi.advanceTimersByTime(5_000)
    waits += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(waits).toBeLessThanOrEqual(most)
})

/** Stops the time limits of the server. */
function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Sends the headers of a rejected request, without its body, under fake timers. */
async function rejected(origin: string): Promise<Socket> {
  useFakeTimers()
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(request('POST /v1/tasks', JSON_TYPE, 1_000_000_000))
  await once(socket, 'data')
  // The time limit of the server starts here.
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  return socket.resume()
}

function isSent(socket: Socket, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => socket.write(bytes, (error) => resolve(!error)))
}

/** Gives the server in this process time to read the sent bytes. */
async function reachesServer(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}
