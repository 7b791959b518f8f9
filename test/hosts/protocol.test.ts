import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type ListenOptions, listen } from '../../src/hosts/express/index.js'
import { exchange, openSocket, parts } from '../http/raw-socket.js'
import { simulate } from '../support/simulations.js'

async function serve(options: ListenOptions = {}) {
  const sim = simulate()
  const errors: unknown[] = []
  const refused: string[] = []
  sim.on('error', (error) => errors.push(error))
  sim.on('request.refused', ({ status, reason }) => refused.push(`${status} ${reason}`))
  const { baseUrl, close } = await listen(sim, { port: 0, ...options })
  onTestFinished(async () => {
    sim.close()
    await close()
    expect(errors).toEqual([])
  })
  return { sim, refused, origin: new URL(baseUrl).origin }
}

const HEADERS = 'Host: localhost\r\nAuthorization: Bearer k\r\nConnection: close\r\n'

it.each([
  ['a target that is not a URL', `GET http://[:: HTTP/1.1\r\n${HEADERS}\r\n`, 400, 'invalid_request'],
  [
    'an unknown expectation',
    `GET /v1/tasks HTTP/1.1\r\n${HEADERS}Expect: foo\r\n\r\n`,
    417,
    'expectation_failed',
  ],
  ['two hosts', `GET /v1/tasks HTTP/1.1\r\n${HEADERS}host: other\r\n\r\n`, 400, 'invalid_request'],
  ['an unknown method', `FOO /v1/tasks HTTP/1.1\r\n${HEADERS}\r\n`, 400, 'invalid_request'],
  ['no Host', 'GET /v1/tasks HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  [
    'headers of more than 16 KB',
    `GET / HTTP/1.1\r\n${HEADERS}X-A: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'a length and chunks',
    `POST /v1/tasks HTTP/1.1\r\n${HEADERS}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'invalid_request',
  ],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'invalid_request'],
])(
  'the server answers %s in the envelope of the service, with a request id',
  async (_, text, status, code) => {
    const { sim, origin, refused } = await serve()
    const { line, headers, body } = parts((await exchange(origin, text)).received)
    expect(line).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(headers).toContain('content-type: application/json')
    expect(headers).toContain('x-request-id: req_00000001')
    expect(headers.map((header) => header.toLowerCase())).toContain('connection: close')
    const { error } = JSON.parse(body)
    expect(error).toEqual({ code, message: expect.any(String), request_id: 'req_00000001' })
    expect(refused).toEqual([`${status} ${error.message}`])
    expect([sim.journal.newest, sim.counters.requests.size]).toEqual([0, 0])
  },
)

it('the server writes these errors in the style of the scenario', async () => {
  const { sim, origin } = await serve()
  sim.useScenario({ ...sim.scenario, api: { ...sim.scenario.api, errors: 'problem' } })
  const { headers, body } = parts((await exchange(origin, `FOO / HTTP/1.1\r\n${HEADERS}\r\n`)).received)
  expect(headers).toContain('content-type: application/problem+json')
  expect(JSON.parse(body)).toMatchObject({ status: 400, title: 'invalid_request' })
})

it('the server explains the error to a client that speaks TLS', async () => {
  const { origin } = await serve()
  const { received } = await exchange(origin, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')
  expect(received).toContain('http://')
})

it('the server answers a valid request before invalid bytes, and then rejects those bytes', async () => {
  const { origin } = await serve()
  const socket = await openSocket(origin)
  socket.write('GET /_sim/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await socket.until((received) => received.includes('req_00000001'))
  socket.write('\x00\x01garbage\r\n\r\n')
  const { received } = await socket.end()
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  expect(received).toContain('x-request-id: req_00000002')
})

it('the server keeps the control API token when it redirects a browser from the root to the page', async () => {
  const { origin } = await serve()
  const redirected = await fetch(`${origin}/?token=a%20b`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
  expect([redirected.status, redirected.headers.get('location')]).toEqual([302, '/_sim/?token=a%20b'])
})

const UPLOAD = (length: number, key: string) =>
  `POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\n${key}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

it.each([
  [413, UPLOAD(20_000_000, 'Authorization: Bearer k\r\n')],
  [401, UPLOAD(100, '')],
])(
  'the server answers once with %i to a client that half-closes in the middle of the body',
  async (status, head) => {
    const { origin, sim, refused } = await serve()
    const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (chunk) => (received += chunk)).on('error', () => {})
    socket.write(`${head}xxx`)
    await once(socket, 'data')
    socket.end()
    await once(socket, 'close')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
    expect(refused).toEqual([])
    expect(sim.requests.nextId()).toBe('req_00000002')
  },
)

it('the server records a truncated upload once', async () => {
  const { origin, sim, refused } = await serve()
  const answered = new Promise((resolve) => sim.on('request.answered', resolve))
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.end(`${UPLOAD(100, 'Authorization: Bearer k\r\n')}xxx`)
  await once(socket.resume(), 'close')
  expect(await answered).toMatchObject({ id: 'req_00000001', status: 400 })
  expect(refused).toEqual([])
  expect(sim.requests.nextId()).toBe('req_00000002')
})

it('the server answers an HTTP/1.0 request without a Host', async () => {
  const { origin } = await serve()
  const { received } = await exchange(origin, 'GET /v1/tasks HTTP/1.0\r\nAuthorization: Bearer k\r\n\r\n')
  expect(parts(received).line).toMatch(/^HTTP\/1\.1 200 /)
})
