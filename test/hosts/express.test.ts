import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import express, { type Express } from 'express'
import { HttpResponse, http, passthrough } from 'msw'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { slowHostTest } from '../support/deep.js'
import { json } from '../support/json.js'

const AUTHORIZATION = { authorization: 'Bearer sk_live_local' }
const CREATE = {
  method: 'POST',
  headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
  body: '{"model": "acme/image-1", "input": {"prompt": "waves"}}',
}

function simulate(scenario = 'instant') {
  const sim = createSimulator({ scenario })
  onTestFinished(() => sim.close())
  return sim
}

async function serve(app: Express): Promise<string> {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serveOverrides(overrides: Parameters<typeof listen>[1]): Promise<string> {
  const { baseUrl, close } = await listen(simulate(), { port: 0, ...overrides })
  onTestFinished(close)
  return baseUrl
}

it('the Express app can be mounted in another app, and passes on other requests', async () => {
  const app = express()
    .use(express.json())
    .use('/fake', createApp(simulate()))
    .use((_, response) => void response.status(418).send('mine'))
  const origin = await serve(app)
  const created = await json(fetch(`${origin}/fake/api/v1/tasks`, CREATE))
  const task = await json(fetch(`${origin}/fake/api/v1/tasks/${created.id}`, { headers: AUTHORIZATION }))
  expect(task.input).toEqual({ prompt: 'waves' })
  const [url] = task.output.images
  expect(url).toContain(`${origin}/fake/files/`)
  expect((await fetch(url)).headers.get('content-type')).toBe('image/png')
  expect((await fetch(`${origin}/fake/elsewhere`)).status).toBe(418)
  expect((await fetch(`${origin}/elsewhere`)).status).toBe(418)
})

it('the Express app names the remedy if its port is in use', async () => {
  const { baseUrl, close } = await listen(simulate(), { port: 0 })
  onTestFinished(close)
  await expect(listen(simulate(), { port: Number(new URL(baseUrl).port) })).rejects.toThrow(
    /port is in use.*--port/,
  )
})

it('the Express app survives an invalid Host in a URL, and a client that disconnects in the middle of its body', async () => {
  const { baseUrl, close } = await listen(simulate(), { port: 0, host: '0.0.0.0' })
  onTestFinished(close)
  const answer = await raw(
    baseUrl,
    `POST /v1/tasks HTTP/1.1\r\nHost: a b<>\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nContent-Length: ${CREATE.body.length}\r\nConnection: close\r\n\r\n${CREATE.body}`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200/)
  const broken = await connectTo(baseUrl)
  broken.end(
    'POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"mod',
  )
  await once(broken.resume(), 'close')
  const { data } = await json(
    fetch(`${baseUrl.replace('0.0.0.0', '127.0.0.1')}/tasks`, { headers: { authorization: 'Bearer k' } }),
  )
  expect(data).toHaveLength(1)
  expect(data[0].output.images[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//)
})

it('the Express app calls MSW handlers first, and passes unhandled requests to the API unchanged', async () => {
  const seen: unknown[] = []
  const base = await serveOverrides({
    overrides: [
      http.post('*/tasks', async ({ request }) => {
        seen.push(await request.json())
        return seen.length === 1
          ? HttpResponse.json({ mine: true }, { status: 503, headers: { 'retry-after': '2' } })
          : undefined
      }),
      http.get('*/tasks', () => passthrough()),
    ],
  })
  const overridden = await fetch(`${base}/tasks`, CREATE)
  expect([overridden.status, overridden.headers.get('retry-after'), await json(overridden)]).toEqual([
    503,
    '2',
    { mine: true },
  ])
  const created = await json(fetch(`${base}/tasks`, CREATE))
  expect(created).toMatchObject({ status: 'processing', input: { prompt: 'waves' } })
  const listed = await json(fetch(`${base}/tasks`, { headers: AUTHORIZATION }))
  expect(listed.data).toHaveLength(1)
  expect(seen).toEqual([JSON.parse(CREATE.body), JSON.parse(CREATE.body)])
})

it('the Express app survives failing MSW handlers, and reports each failure to its client', async () => {
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) })
  const base = await serveOverrides({
    overrides: [
      http.get('*/tasks/network', () => HttpResponse.error()),
      http.get('*/tasks/cut', () => new HttpResponse(failing, { headers: { 'content-length': '100' } })),
    ],
  })
  const get = (path: string) => fetch(`${base}/tasks/${path}`, { headers: AUTHORIZATION })
  await expect(get('network')).rejects.toThrow('fetch failed')
  await expect(get('cut').then((response) => response.text())).rejects.toThrow()
  expect(await raw(base, 'GET /v1/tasks HTTP/1.1\r\nHost: a b<>\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 403/,
  )
  expect((await get('none')).status).toBe(404)
})

it('the Express app survives common mistakes in MSW handlers, and answers 500 in the envelope', async () => {
  const shared = HttpResponse.json({ mine: true })
  const base = await serveOverrides({
    overrides: [
      http.get('*/tasks/shared', () => shared),
      http.get('*/tasks/:id/files', () => shared),
      http.get('*/tasks/plain', () => ({ mine: true }) as never),
      http.get('*/tasks/throw', () => {
        throw new Error('a bug in the handler')
      }),
    ],
  })
  const get = (path: string) => fetch(`${base}/tasks/${path}`, { headers: AUTHORIZATION })
  expect((await get('shared')).status).toBe(200)
  for (const path of ['shared', 'plain', 'throw']) {
    const response = await get(path)
    expect(response.status).toBe(500)
    expect((await json(response)).error).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('handler'),
    })
  }
  expect((await get('none')).status).toBe(404)
  for (const [target, status] of [
    ['//[', 404],
    ['//u:p@h/x', 404],
    ['http://[/', 400],
    ['/v1/tasks/%E0%A4%A/files', 404],
  ]) {
    expect(await raw(base, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status}`),
    )
  }
})

slowHostTest('rejects a chunked body over the limit, with and without handlers in front', async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const body = `${chunk(' '.repeat(10 * 1024 * 1024 + 1))}${chunk('{"model":"smuggled","input":{}}')}0\r\n\r\n`
  const head =
    'POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
  for (const overrides of [[], [http.get('*/none', () => undefined)]]) {
    const base = await serveOverrides({ overrides })
    expect(await raw(base, head + body)).toMatch(/^HTTP\/1\.1 413/)
  }
})

it('the server accepts a target in absolute form, as a client behind a proxy sends it', async () => {
  const base = await serveOverrides({ allowHosts: ['elsewhere.test'] })
  const target =
    'GET http://elsewhere.test/v1/tasks HTTP/1.1\r\nHost: elsewhere.test\r\nAuthorization: Bearer k\r\nConnection: close\r\n\r\n'
  expect(await raw(base, target)).toMatch(/^HTTP\/1\.1 200/)
})

it('the Express app ignores a request that earlier middleware has answered', async () => {
  const app = express()
    .use((_, response, next) => {
      response.status(503).send('too late')
      next()
    })
    .use(createApp(simulate()))
  const origin = await serve(app)
  expect((await fetch(`${origin}/v1/tasks`, { headers: AUTHORIZATION })).status).toBe(503)
  expect((await fetch(`${origin}/v1/tasks`, { headers: AUTHORIZATION })).status).toBe(503)
})

async function connectTo(baseUrl: string): Promise<Socket> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function raw(baseUrl: string, text: string): Promise<string> {
  const socket = await connectTo(baseUrl)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  socket.write(text)
  await once(socket, 'close')
  return answer
}
