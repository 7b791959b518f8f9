import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from './service.js'
import { startRecorder } from './start-recorder.js'

/** The bytes that a server sends until it closes the connection. */
async function exchangeBytes(origin: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (piece) => {
    answer += piece
  })
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}

/** A recorder in front of a service that counts its requests. */
async function startCounted(base = '/api/v1') {
  const targets: string[] = []
  const service = await startService((request, response) => {
    targets.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const started = await startRecorder('tasks', service + base)
  return { ...started, targets }
}

const request = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')

it.each([
  ['a foreign Host', 'Host: evil.example', /The API cannot be reached as \\?"evil\.example/],
  [
    'a page of another origin',
    'Host: localhost\r\nOrigin: https://evil.example',
    /Pages of https:\/\/evil\.example/,
  ],
  ['a page of no origin', 'Host: localhost\r\nOrigin: null', /Pages of null/],
  ['two hosts', 'Host: localhost\r\nHost: evil.example', /more than one Host header/],
  ['no Host', 'Accept: */*', /no Host header/],
])('rejects a request with %s', async (_, headers, message) => {
  const { origin, targets, recorded } = await startCounted()
  const answer = await exchangeBytes(origin, request('/api/v1/tasks', headers))
  expect(answer).toMatch(/^HTTP\/1\.1 40[03] /)
  expect(answer).toMatch(message)
  expect(targets).toEqual([])
  expect((await recorded()).exchanges).toEqual([])
})

it.each(['localhost', '127.0.0.1:4010', '[::1]', 'app.localhost'])('accepts the Host %s', async (host) => {
  const { origin, targets } = await startCounted()
  expect(await exchangeBytes(origin, request('/api/v1/tasks', `Host: ${host}`))).toMatch(/^HTTP\/1\.1 200 /)
  expect(targets).toEqual(['/api/v1/tasks'])
})

it.each([
  '/api/v1/../../admin',
  '/api/v1/..',
  '/../admin',
  '/api/v1/%2e%2e/%2e%2e/admin',
  '/api/v1/.%2E/admin',
  '/api/v1/%252e%252e/admin',
  '/api/v1/%25252e./admin',
  '/api/v1/..%2f..%2fadmin',
  '/api/v1/..%5c..%5cadmin',
  '/api/v1/..\\..\\admin',
  '/api/v1\\..\\..\\admin',
  '/api/v1/..;/admin',
  '/api/v1/..%3bx=1/admin',
  '/api/v1/..%00/admin',
  '/api/v1/..%09/admin',
  'http://127.0.0.1/api/v1/../../admin',
  'http://evil.example/api/v1/%2e%2e/admin',
])('rejects the target %s, which could leave the base URL', async (target) => {
  const { origin, targets } = await startCounted()
  expect(await exchangeBytes(origin, request(target, 'Host: localhost'))).toMatch(/^HTTP\/1\.1 400 .*`\.\.`/s)
  expect(targets).toEqual([])
})

it.each([
  ['//evil.example/tasks', ['/base//evil.example/tasks']],
  ['/\\evil.example/tasks', ['/base//evil.example/tasks']],
  ['http://evil.example/tasks', ['/base/tasks']],
  ['http://evil.example', ['/base']],
  ['https://user:pw@evil.example/tasks?q=..', ['/base/tasks?q=..']],
  ['/@evil.example/a..b/...', ['/base/@evil.example/a..b/...']],
  ['/tasks?next=http://evil.example/../', ['/base/tasks?next=http://evil.example/../']],
  ['http://evil.example/_sim/health', []],
  ['ftp://evil.example/tasks', []],
  ['*', []],
])('sends the target %s to the service or to nobody', async (target, expected) => {
  const { origin, targets } = await startCounted('/base')
  await exchangeBytes(origin, request(target, 'Host: localhost'))
  expect(targets).toEqual(expected)
})

it.each([
  [
    'GET /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
    /400 .*do not pass/s,
  ],
  ['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', /405 .*CONNECT is not supported/s],
  ['TRACE /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /405 .*TRACE/s],
])('rejects %j', async (bytes, expected) => {
  const { origin, targets } = await startCounted()
  expect(await exchangeBytes(origin, bytes)).toMatch(expected)
  expect(targets).toEqual([])
})

it.each([
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
])('answers at once if the service answers %j', async (bytes) => {
  const service = createServer().on('connection', (socket) => socket.once('data', () => socket.write(bytes)))
  await once(service.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    service.closeAllConnections()
    service.close()
  })
  const { origin, recorded } = await startRecorder(
    'tasks',
    `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  )
  const answer = await fetch(`${origin}/api/v1/tasks`)
  expect([answer.status, await answer.text()]).toEqual([
    502,
    expect.stringContaining('101 Switching Protocols'),
  ])
  const [exchange] = (await recorded()).exchanges
  expect(exchange?.response).toBeUndefined()
})

it('records JSON with two million levels, and both sides get it unchanged', async () => {
  const deep = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`
  const bodies: string[] = []
  const service = await startService(async (incoming, response) => {
    bodies.push(await text(incoming))
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"task_1","deep":${deep}}`)
  })
  const { origin, recorded } = await startRecorder('tasks', service)
  const answer = await fetch(`${origin}/api/v1/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"model":"acme/image-1","input":${deep}}`,
  })
  expect(await answer.text()).toBe(`{"id":"task_1","deep":${deep}}`)
  expect(bodies).toEqual([`{"model":"acme/image-1","input":${deep}}`])
  const [exchange] = (await recorded()).exchanges
  const placeholder = `${'['.repeat(99)}"[nested more than 100 levels deep]"${']'.repeat(99)}`
  expect(JSON.stringify(exchange?.request.body)).toContain(placeholder)
  expect(JSON.stringify(exchange?.response?.body)).toContain(placeholder)
})
