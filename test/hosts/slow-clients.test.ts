import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src/hosts/express/app.js'
import { createServer } from '../../src/hosts/express/create-server.js'
import { openSocket } from '../http/raw-socket.js'
import { deepTest } from '../support/deep.js'
import { simulate } from '../support/simulations.js'

/** In milliseconds; as short as a busy machine allows. */
const BRIEF = {
  headersTimeout: 200,
  requestTimeout: 400,
  connectionsCheckingInterval: 10,
  keepAliveTimeout: 40,
}

async function serve(limits: Partial<typeof BRIEF> = {}) {
  const sim = simulate()
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const server = createServer(sim, createApp(sim, {}), limits).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    expect(errors).toEqual([])
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends a character now and then, until the server disconnects. */
async function sendSlowly(origin: string, beginning: string, rest: string): Promise<string> {
  const socket = await openSocket(origin)
  socket.write(beginning)
  let place = 0
  const timer = setInterval(() => {
    if (socket.ended === undefined) socket.write(rest[place++ % rest.length] ?? '')
  }, 5)
  try {
    return (await socket.end()).received
  } finally {
    clearInterval(timer)
  }
}

const HEADERS = 'Host: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\n'

/** Sends requests until one is answered with 200, because a busy machine may make any client too slow. */
async function untilServed(origin: string): Promise<void> {
  const { status } = await fetch(`${origin}/_sim/health`).catch(() => ({ status: 0 }))
  if (status !== 200) await untilServed(origin)
}

it('disconnects clients that send headers or bodies too slowly, and serves others meanwhile', async () => {
  const origin = await serve(BRIEF)
  const slow = Array.from({ length: 20 }, (_, number) =>
    number % 2 === 0
      ? sendSlowly(origin, 'GET /_sim/state HTTP/1.1\r\nHost: localhost\r\n', 'X-A: b\r\n')
      : sendSlowly(
          origin,
          `POST /v1/tasks HTTP/1.1\r\n${HEADERS}Content-Length: 5000\r\n\r\n`,
          '{"a":[1,2,3]',
        ),
  )
  for (let request = 0; request < 10; request++) await untilServed(origin)
  for (const received of await Promise.all(slow)) expect(received).toMatch(/^(?:HTTP\/1\.1 408|$)/)
  await untilServed(origin)
})

deepTest('the server closes silent and idle connections', async () => {
  const silent = await openSocket(await serve(BRIEF))
  await silent.end()
  const { keepAliveTimeout, connectionsCheckingInterval } = BRIEF
  const idle = await openSocket(await serve({ keepAliveTimeout, connectionsCheckingInterval }))
  idle.write(`GET /_sim/health HTTP/1.1\r\n${HEADERS}\r\n`)
  expect((await idle.end()).received).toMatch(/^HTTP\/1\.1 200/)
})

it.each([
  [
    'garbage behind a request',
    `GET /_sim/health HTTP/1.1\r\n${HEADERS}\r\n\x00\x01garbage\r\n\r\n`,
    /HTTP\/1\.1 400/,
  ],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\n${HEADERS}X-A: ${'x'.repeat(20_000)}\r\n\r\n`,
    /^HTTP\/1\.1 431/,
  ],
  [
    'very many headers',
    `GET / HTTP/1.1\r\n${HEADERS}${'X-Long: long\r\n'.repeat(5_000)}\r\n`,
    /^HTTP\/1\.1 431/,
  ],
  [
    'two lengths',
    `POST /v1/tasks HTTP/1.1\r\n${HEADERS}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    /^HTTP\/1\.1 400/,
  ],
  [
    'a length and chunks',
    `POST /v1/tasks HTTP/1.1\r\n${HEADERS}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    /^HTTP\/1\.1 400/,
  ],
  [
    'a header with a line in it',
    `GET /_sim/state HTTP/1.1\r\nHost: localhost\r\nX-A: b\nX-C: d\r\n\r\n`,
    /^HTTP\/1\.1 400/,
  ],
])('the server rejects %s, and keeps serving', async (_, text, answer) => {
  const origin = await serve()
  const socket = await openSocket(origin)
  socket.write(text)
  expect((await socket.end()).received).toMatch(answer)
  expect((await fetch(`${origin}/_sim/health`)).status).toBe(200)
})
