import { once } from 'node:events'
import express from 'express'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, type ListenOptions, listen } from '../../src/hosts/express/index.js'
import type { RefusedRequest, SimulatorOptions } from '../../src/index.js'
import { exchange, parts } from '../http/raw-socket.js'
import { create, simulate } from '../support/simulations.js'

const KEY = { Authorization: 'Bearer sk_live_local' }
const BODY = '{"model":"acme/image-1","input":{}}'
const CREATE = { ...KEY, 'Content-Type': 'application/json', 'Content-Length': String(BODY.length) }
const PAGE = 'https://app.example'

async function serve(options: ListenOptions = {}, settings: SimulatorOptions = {}) {
  const sim = simulate(settings)
  const refused: RefusedRequest[] = []
  sim.on('request.refused', (request) => refused.push(request))
  const { baseUrl, close } = await listen(sim, { port: 0, ...options })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  const { port } = new URL(baseUrl)
  const send = async (line: string, headers: Record<string, string> = {}, body = '') => {
    const all = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'close', ...headers })
    const head = all.map((pair) => `${pair.join(': ')}\r\n`).join('')
    const { received } = await exchange(`http://127.0.0.1:${port}`, `${line} HTTP/1.1\r\n${head}\r\n${body}`)
    const { line: status, headers: lines, body: text } = parts(received)
    const fields = new Headers(lines.map((field) => field.split(/: ?(.*)/s).slice(0, 2) as [string, string]))
    return { status: Number(status.split(' ')[1]), headers: fields, body: text && JSON.parse(text) }
  }
  /** Returns everything that a request could have changed. */
  const traces = () => [sim.counters.created, sim.counters.requests.size, sim.journal.newest]
  return { sim, send, refused, traces }
}

describe('a server on loopback', () => {
  it('counts no request that a page sends without reading the answer, and those of clients', async () => {
    const { send } = await serve({}, { scenario: { rate_limits: [{ requests: 1, per: '1h' }] } })
    const status = async (headers: object) => (await send('GET /v1/tasks', { ...KEY, ...headers })).status
    const image = { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'image' }
    expect([await status(image), await status(image)]).toEqual([200, 200])
    expect([await status({}), await status({}), await status(image)]).toEqual([200, 429, 200])
    expect(await status({ 'Sec-Fetch-Mode': 'cors' })).toBe(429)
  })

  it.each([
    'attacker.example',
    'localhost.attacker.example:4010',
    '127.0.0.1.nip.io',
    '192.168.0.7',
    'a b',
    'attacker.example/.localhost',
    '',
  ])('rejects the Host %j before it counts or creates anything', async (host) => {
    const { send, traces, refused } = await serve()
    const created = await send('POST /api/v1/tasks', { ...CREATE, Host: host }, BODY)
    expect([created.status, created.body.error.code]).toEqual([403, 'forbidden'])
    expect(created.headers.get('x-request-id')).toBe(created.body.error.request_id)
    expect((await send('GET /v1/tasks', { ...KEY, Host: host })).status).toBe(403)
    expect((await send('GET /nowhere', { Host: host })).status).toBe(403)
    expect(traces()).toEqual([0, 0, 0])
    expect(refused.map(({ method, path }) => `${method} ${path}`)[0]).toBe('POST /api/v1/tasks')
  })

  it('names the remedy for a foreign Host', async () => {
    const { send } = await serve()
    const { body } = await send('GET /v1/tasks', { ...KEY, Host: 'sim.internal' })
    expect(body.error.message).toContain('--allow-host sim.internal')
  })

  it.each(['localhost', 'LOCALHOST:1', 'app.localhost:3000', '127.0.0.1', '127.1.2.3', '[::1]:4010'])(
    'accepts the loopback name %s',
    async (host) => {
      const { send } = await serve()
      expect((await send('GET /v1/tasks', { ...KEY, Host: host })).status).toBe(200)
    },
  )

  it('accepts the host of its public URL and allowed names, for both APIs if they are allowed', async () => {
    const { send } = await serve(
      { allowHosts: ['Sim.Internal'] },
      { publicUrl: 'https://public.example/sim' },
    )
    for (const host of ['public.example', 'sim.internal:8080'])
      expect((await send('GET /v1/tasks', { ...KEY, Host: host })).status).toBe(200)
    expect((await send('GET /_sim/state', { Host: 'sim.internal' })).status).toBe(200)
    expect((await send('GET /_sim/state', { Host: 'public.example' })).status).toBe(403)
    expect((await send('GET /v1/tasks', { ...KEY, Host: 'other.example' })).status).toBe(403)
  })
})

it.each<[string, ListenOptions, string, number]>([
  ['an allowed name', { allowHosts: ['sim.internal'] }, 'sim.internal:4010', 200],
  ['any name, on all addresses', { host: '0.0.0.0' }, '192.168.0.7:4010', 200],
  ['a name that is not allowed', {}, 'sim.internal:4010', 403],
])(
  'the server treats a page of the origin of the server, addressed by %s, like any other client',
  async (_, options, host, status) => {
    const { send } = await serve(options)
    const own = { ...CREATE, Host: host, Origin: `http://${host}` }
    expect((await send('POST /v1/tasks', own, BODY)).status).toBe(status)
    expect((await send('POST /v1/tasks', { ...own, Origin: `http://${host}0` }, BODY)).status).toBe(403)
  },
)

it('a server on all addresses accepts any name, unless names are given', async () => {
  const open = await serve({ host: '0.0.0.0' })
  expect((await open.send('GET /v1/tasks', { ...KEY, Host: 'tasksim:4010' })).status).toBe(200)
  const restricted = await serve({ host: '0.0.0.0', allowHosts: ['tasksim'] })
  expect((await restricted.send('GET /v1/tasks', { ...KEY, Host: 'tasksim:4010' })).status).toBe(200)
  expect((await restricted.send('GET /v1/tasks', { ...KEY, Host: 'localhost' })).status).toBe(200)
  expect((await restricted.send('GET /v1/tasks', { ...KEY, Host: 'other' })).status).toBe(403)
})

describe('a request of a web page', () => {
  it.each([
    PAGE,
    'null',
    'file://',
    'garbage',
    'https://localhost.attacker.example',
    'http://192.168.0.7:3000',
  ])('from %s has no effect', async (origin) => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const { send, traces } = await serve({ host })
      const { status, headers, body } = await send('POST /v1/tasks', { ...CREATE, Origin: origin }, BODY)
      expect([status, body.error.code]).toEqual([403, 'forbidden'])
      expect(body.error.message).toContain('--cors')
      expect(headers.has('access-control-allow-origin')).toBe(false)
      expect((await send('GET /v1/tasks', { ...KEY, Origin: origin })).status).toBe(403)
      expect((await send('OPTIONS /v1/tasks', { Origin: origin })).status).toBe(403)
      expect(traces()).toEqual([0, 0, 0])
    }
  })

  it('from a loopback name or the public URL is answered, without permission to read the answer', async () => {
    const { send, sim } = await serve({}, { publicUrl: 'https://public.example' })
    for (const origin of ['http://localhost:5173', 'http://[::1]:1', 'https://public.example:8443']) {
      const { status, headers } = await send('POST /v1/tasks', { ...CREATE, Origin: origin }, BODY)
      expect([status, headers.has('access-control-allow-origin')]).toEqual([200, false])
    }
    expect(sim.counters.created).toBe(3)
  })

  it('with a foreign origin reaches no handler in front of the API', async () => {
    let calls = 0
    const handler = http.all('*', () => {
      calls += 1
      return HttpResponse.json({})
    })
    const { send } = await serve({ overrides: [handler] })
    expect((await send('GET /v1/tasks', { ...KEY, Origin: PAGE })).status).toBe(403)
    expect(calls).toBe(0)
    expect((await send('GET /v1/tasks', KEY)).status).toBe(200)
    expect(calls).toBe(1)
  })

  it('may read a file from any origin and under any name', async () => {
    const { send, sim } = await serve()
    const task = await create(sim)
    await sim.clock.advance('1m')
    const ended = (await sim.tasks.get(task.id)) ?? task
    const output = sim.outputs.of(ended, 'http://x', sim.clock.now())
    const [url] = Object.values(output as { images: string[] }).flat()
    const { pathname, search } = new URL(String(url))
    const { status, headers } = await send(`HEAD ${pathname}${search}`, { Origin: PAGE, Host: 'x' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })
})

describe('CORS', () => {
  it('allows pages of an allowed origin to send preflights and requests, and to read answers with their headers', async () => {
    const { send, sim, traces } = await serve({ cors: [`${PAGE}/`, 'http://other.example'] })
    const asked = await send('OPTIONS /api/v1/tasks', {
      Origin: PAGE,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,x-client',
    })
    expect([asked.status, traces()]).toEqual([204, [0, 0, 0]])
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'authorization,content-type,x-client',
      vary: 'Origin',
    })
    const created = await send('POST /v1/tasks', { ...CREATE, Origin: PAGE }, BODY)
    expect([
      created.status,
      created.headers.get('access-control-allow-origin'),
      sim.counters.created,
    ]).toEqual([200, PAGE, 1])
    expect(created.headers.get('access-control-expose-headers')).toMatch(
      /X-Request-Id, Retry-After.*RateLimit/,
    )
    const missing = await send('GET /v1/tasks/none', { ...KEY, Origin: PAGE })
    expect([missing.status, missing.headers.get('access-control-allow-origin')]).toEqual([404, PAGE])
    const plain = await send('GET /v1/tasks', KEY)
    expect([plain.headers.get('vary'), plain.headers.has('access-control-allow-origin')]).toEqual([
      'Origin',
      false,
    ])
    expect((await send('GET /v1/tasks', { ...KEY, Origin: 'https://app.example.evil' })).status).toBe(403)
  })

  it('with * allows all pages, including opaque origins', async () => {
    const { send } = await serve({ cors: ['*'] })
    for (const origin of [PAGE, 'null']) {
      const { status, headers } = await send('POST /v1/tasks', { ...CREATE, Origin: origin }, BODY)
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        200,
        '*',
        null,
      ])
    }
  })

  it('does not open the control API', async () => {
    const { send } = await serve({ cors: [PAGE] })
    expect((await send('GET /_sim/state', { Origin: PAGE })).status).toBe(403)
  })

  it('applies to the answers of a handler in front of the API', async () => {
    const overrides = [http.get('*/own', () => HttpResponse.json({ own: true }))]
    const { send } = await serve({ cors: [PAGE], overrides })
    const { body, headers } = await send('GET /own', { Origin: PAGE })
    expect([body, headers.get('access-control-allow-origin')]).toEqual([{ own: true }, PAGE])
  })

  it('rejects an invalid origin', async () => {
    await expect(listen(simulate(), { port: 0, cors: ['app.example'] })).rejects.toThrow(
      /"app.example".*origin/,
    )
  })
})

it('a mounted app accepts any name, rejects foreign pages, and passes on other requests', async () => {
  const app = express()
    .use('/fake', createApp(simulate()))
    .use((_, response) => void response.json({ own: true }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const get = (path: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { ...KEY, ...headers } })
  expect((await get('/fake/v1/tasks', {})).status).toBe(200)
  expect((await get('/fake/v1/tasks', { Origin: PAGE })).status).toBe(403)
  expect((await get('/fake/own', { Origin: PAGE })).status).toBe(200)
})

it.each(['two words', 'a\tb', 'line\n', 'naïve', ''])(
  'the control token %j is rejected at startup',
  async (token) => {
    await expect(listen(simulate(), { port: 0, host: '0.0.0.0', controlToken: token })).rejects.toThrow(
      'visible ASCII',
    )
  },
)

it('a server has no option `control`, which would bypass the token', async () => {
  const options = { port: 0, host: '0.0.0.0', control: undefined } as ListenOptions
  await expect(listen(simulate(), options)).rejects.toThrow('no option `control`')
})
