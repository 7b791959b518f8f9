import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { deadUrl } from '../../http/receiver.js'
import { deepTest } from '../../support/deep.js'
import { call, KEY, startService, startSimulated, until } from './service.js'
import { startRecorder } from './start-recorder.js'

const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }

it('the recorder passes requests to the service, and gives the client the addresses of the proxy', async () => {
  const { origin: service } = await startSimulated({ defaults: { delay: '0s' } })
  const { origin, recorded } = await startRecorder('tasks', `${service}/api/v1`)
  const created = await call(origin, '/api/v1/tasks', ORDER)
  expect(created.status).toBe(200)
  const { status, output } = (await call(origin, `/api/v1/tasks/${created.json.id}`)).json
  expect([status, new URL(output.images[0]).origin]).toEqual(['succeeded', origin])
  expect((await fetch(output.images[0])).headers.get('content-type')).toBe('image/png')
  const { header, exchanges, text } = await recorded()
  expect(header).toMatchObject({ dialect: 'tasks', upstream: [service] })
  expect(
    exchanges.map(({ request: { method, url }, response }) => [method, url.split('?')[0], response?.status]),
  ).toEqual([
    ['POST', `${service}/api/v1/tasks`, 200],
    ['GET', `${service}/api/v1/tasks/${created.json.id}`, 200],
    ['GET', expect.stringContaining(`${service}/files/`), 200],
  ])
  expect(text).not.toContain(origin)
})

it('the recorder gives the service its own addresses', async () => {
  const { origin: service, sim } = await startSimulated()
  const { origin } = await startRecorder('tasks', service)
  const image = `${origin}/files/task_1/0.png`
  const { json } = await call(origin, '/api/v1/tasks', { ...ORDER, input: { prompt: 'x', image } })
  expect((await sim.tasks.get(json.id))?.input).toMatchObject({ image: `${service}/files/task_1/0.png` })
})

it('the recorder passes a stream on piece by piece', async () => {
  let send: (text: string) => void = () => {}
  const service = await startService((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    send = (text) => (text === '' ? response.end() : response.write(text))
  })
  const { origin, recorded } = await startRecorder('tasks', service)
  const response = await fetch(`${origin}/api/v1/stream`)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  send('data: {"n":1}\n\n')
  expect((await reader?.read())?.value).toBe('data: {"n":1}\n\n')
  send('data: {"n":2}\n\n')
  expect((await reader?.read())?.value).toBe('data: {"n":2}\n\n')
  send('')
  expect((await reader?.read())?.done).toBe(true)
  const [exchange] = (await recorded()).exchanges
  // Pieces of the same millisecond are one.
  const texts = exchange?.response?.pieces?.map(([, text]) => text)
  expect(texts?.join('')).toBe('data: {"n":1}\n\ndata: {"n":2}\n\n')
})

it('the recorder passes an upload on while it arrives', async () => {
  const arrived: string[] = []
  const service = await startService((incoming, response) => {
    incoming.on('data', (piece) => arrived.push(String(piece)))
    incoming.on('end', () => response.end('{}'))
  })
  const { origin } = await startRecorder('tasks', service)
  const upload = request(`${origin}/upload`, { method: 'POST', headers: { 'content-type': 'video/mp4' } })
  upload.write('first')
  await until(() => arrived[0])
  upload.end('second')
  await once(upload, 'response')
  expect(arrived.join('')).toBe('firstsecond')
})

deepTest('the recorder records the hash of a body that is too long to keep', async () => {
  const file = Buffer.alloc(11 * 1_024 * 1_024, 'x')
  const service = await startService((incoming, response) =>
    incoming.resume().on('end', () => response.end(file)),
  )
  const { origin, recorded } = await startRecorder('tasks', service)
  const response = await fetch(`${origin}/file`, { method: 'POST', body: file })
  expect((await response.arrayBuffer()).byteLength).toBe(file.length)
  const long = { bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') }
  const [exchange] = (await recorded()).exchanges
  expect([exchange?.request.body, exchange?.response?.body]).toEqual([long, long])
})

it('the recorder decodes bodies, and leaves out headers about the connection', async () => {
  let received: NodeJS.Dict<string | string[]> = {}
  const service = await startService((incoming, response) => {
    received = incoming.headers
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'keep-alive': 'timeout=1',
    })
    response.end(gzipSync('{"next_url":"https://other.example/"}'))
  })
  const { origin, recorded } = await startRecorder('tasks', service)
  const { json, headers } = await call(origin, '/api/v1/tasks')
  expect(json).toEqual({ next_url: 'https://other.example/' })
  expect([headers.get('content-encoding'), headers.get('keep-alive')]).not.toContain('timeout=1')
  expect(received).toMatchObject({ 'accept-encoding': 'identity', host: new URL(service).host })
  const [exchange] = (await recorded()).exchanges
  expect(exchange?.response?.body).toEqual({ json })
})

it.each([
  [
    'tasks',
    '/api/v1/tasks',
    (message: unknown) => ({ error: expect.objectContaining({ code: 'unavailable', message }) }),
  ],
  ['replicate', '/replicate/v1/predictions', (detail: unknown) => ({ detail })],
])('the recorder answers in the form of %s if the service is unreachable', async (name, path, body) => {
  const { origin, recorded } = await startRecorder(name, new URL('/', await deadUrl()).href)
  const { status, json } = await call(origin, path, ORDER)
  expect([status, json]).toEqual([
    502,
    expect.objectContaining(body(expect.stringMatching(/ECONNREFUSED.*--upstream/))),
  ])
  const [exchange] = (await recorded()).exchanges
  expect(exchange?.response).toBeUndefined()
})

it('the recorder ends the request to the service when the client disconnects', async () => {
  let isClosed = false
  let hasArrived = false
  const service = await startService((incoming) => {
    hasArrived = true
    incoming.on('close', () => {
      isClosed = true
    })
  })
  const { origin, recorded } = await startRecorder('tasks', service)
  const abort = new AbortController()
  const response = fetch(`${origin}/api/v1/tasks`, { signal: abort.signal }).catch(() => 'aborted')
  await until(() => hasArrived || undefined)
  abort.abort()
  expect(await response).toBe('aborted')
  await until(() => isClosed || undefined)
  const [exchange] = (await recorded()).exchanges
  expect(exchange?.response).toBeUndefined()
})

it('the recorder finds the host of a service by the path, or by the header of a request to a proxy', async () => {
  const { origin: service } = await startSimulated()
  const { origin } = await startRecorder('fal', `${service}/fal/proxy`)
  const submitted = await call(origin, '/fal/queue/fal-ai/flux/dev', { prompt: 'x' }, 'Key')
  const { status_url: url } = submitted.json
  expect(url).toMatch(new RegExp(`^${origin}/fal/queue/fal-ai/flux/requests/.*/status$`))
  const forwarded = await fetch(`${origin}/fal/proxy`, {
    headers: {
      authorization: `Key ${KEY}`,
      'x-fal-target-url': url.replace(`${origin}/fal/queue`, 'https://queue.fal.run'),
    },
  })
  expect(await forwarded.json()).toMatchObject({ request_id: submitted.json.request_id })
  const other = await fetch(`${origin}/fal/proxy`, {
    headers: { 'x-fal-target-url': 'https://evil.example/' },
  })
  expect([other.status, await other.text()]).toEqual([422, expect.stringContaining('X-Fal-Target-Url')])
  expect((await call(origin, '/fal/unknown/path')).status).toBe(404)
})
