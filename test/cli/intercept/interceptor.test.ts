import { once } from 'node:events'
import { Agent, type RequestOptions, request } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectSecurely } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { Interception } from '../../../src/cli/intercept/interception.js'
import { Interceptor } from '../../../src/cli/intercept/interceptor.js'
import { ServiceHosts } from '../../../src/cli/intercept/service-hosts.js'
import { createSimulator, defineScenario, parseDialect } from '../../../src/index.js'

interface Setup {
  readonly services?: readonly string[]
  readonly allowed?: readonly string[]
  readonly scenario?: Parameters<typeof defineScenario>[0]
  readonly dialects?: Parameters<typeof createSimulator>[0] extends { dialects?: infer D } ? D : never
  readonly env?: NodeJS.ProcessEnv
}

/** Starts an interceptor, and returns how to talk to it. */
async function intercepting({ services = ['replicate'], allowed = [], scenario = {}, env = {} }: Setup = {}) {
  const sim = createSimulator({ scenario: defineScenario(scenario) })
  const hosts = await ServiceHosts.load(sim.dialects, services)
  const interception = new Interception({ hosts, allowed, env, days: 1 })
  const interceptor = await Interceptor.listen(sim, interception)
  onTestFinished(async () => {
    await interceptor.close()
    interception.close()
    sim.close()
  })
  const port = Number(interceptor.variables['TASKSIM_INTERCEPT_PORT'])
  const ca = interception.certificate.certificate
  return { sim, port, ca, interception, interceptor, traffic: interception.traffic }
}

type Running = Awaited<ReturnType<typeof intercepting>>

/** Sends a request as a client does whose connection a preload has changed. */
async function send({ port, ca }: Pick<Running, 'port' | 'ca'>, url: string, options: RequestOptions = {}) {
  const { host, hostname: servername, pathname, search } = new URL(url)
  const agent = new Agent({ keepAlive: false })
  const headers = {
    host,
    authorization: 'Bearer any',
    'content-type': 'application/json',
    ...options.headers,
  }
  const sent = request({
    ...options,
    agent,
    host: '127.0.0.1',
    port,
    ca,
    servername,
    path: pathname + search,
    headers,
  })
  sent.end(options.method === 'POST' ? JSON.stringify({ version: 'a/b', input: { prompt: 'x' } }) : undefined)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode as number, text: await text(response) }
}

/** Writes bytes to the proxy. @returns all that it answers */
async function raw({ port }: Pick<Running, 'port'>, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

const PREDICTIONS = 'https://api.replicate.com/v1/predictions'

it('a request for the host of a service gets an answer whose URLs are those of the service', async () => {
  const running = await intercepting()
  const { status, text: body } = await send(running, PREDICTIONS, { method: 'POST' })
  expect(status).toBe(201)
  const { id, urls } = JSON.parse(body)
  expect(urls.get).toBe(`${PREDICTIONS}/${id}`)
  expect((await send(running, urls.get)).status).toBe(200)
  expect([...running.traffic.requests]).toEqual([['https://api.replicate.com', 2]])
})

it('the host of output files has these files, and nothing else', async () => {
  const running = await intercepting({ scenario: { extends: 'instant' } })
  const made = JSON.parse((await send(running, PREDICTIONS, { method: 'POST' })).text)
  const { output } = JSON.parse((await send(running, made.urls.get)).text)
  expect(output).toEqual([expect.stringMatching(/^https:\/\/replicate\.delivery\/files\//)])
  expect((await send(running, output[0])).status).toBe(200)
  expect((await send(running, 'https://replicate.delivery/v1/predictions')).status).toBe(404)
})

it('a path that the service lacks gets a 404 in its format, and is counted', async () => {
  const running = await intercepting()
  const { status, text: body } = await send(running, 'https://api.replicate.com/v1/trainings?limit=1')
  expect(status).toBe(404)
  expect(JSON.parse(body).detail).toMatch(/nothing at GET \/v1\/trainings\. .* has .* \/v1\/predictions/)
  expect([...running.traffic.unknownPaths]).toEqual([['GET https://api.replicate.com/v1/trainings', 1]])
})

it.each(['/_sim/state', '/_sim/', '/_sim/clock', '/files/../_sim/state', '//_sim/state'])(
  'the control API is not at the host of a service: %s',
  async (path) => {
    const running = await intercepting()
    const { status, text: body } = await send(running, PREDICTIONS.replace('/v1/predictions', path))
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ title: 'Not found' })
  },
)

it.each([
  'api.stripe.com',
  'localhost',
  '127.0.0.1',
  'api.replicate.com:8443',
  'api.replicate.com@evil.example',
])('a request with the Host %s is refused', async (host) => {
  const { status } = await send(await intercepting(), PREDICTIONS, { headers: { host } })
  expect(status).toBe(403)
})

it('a page of another origin is refused at the host of a service', async () => {
  const headers = { origin: 'https://evil.example' }
  expect((await send(await intercepting(), PREDICTIONS, { headers })).status).toBe(403)
})

it('the proxy leads to the hosts of services, and refuses others with the reason', async () => {
  const running = await intercepting()
  const socket = connect(running.port, '127.0.0.1')
  socket.write('CONNECT api.replicate.com:443 HTTP/1.1\r\nHost: api.replicate.com:443\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
  const secure = connectSecurely({ socket, servername: 'api.replicate.com', ca: running.ca })
  secure.write('GET /v1/predictions HTTP/1.1\r\nHost: api.replicate.com\r\nConnection: close\r\n\r\n')
  expect(await text(secure)).toMatch(/^HTTP\/1\.1 401 /)
  const refused = await raw(
    running,
    'CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\n',
  )
  expect(refused).toMatch(/^HTTP\/1\.1 403 [\s\S]*--intercept-allow api\.stripe\.com\n$/)
  expect([...running.traffic.refused]).toEqual([['api.stripe.com:443', 1]])
})

it('the proxy answers a request for the whole URL of a service, as some clients send it, but none without TLS', async () => {
  const running = await intercepting()
  const get = (url: string) =>
    raw(running, `GET ${url} HTTP/1.1\r\nHost: api.replicate.com\r\nConnection: close\r\n\r\n`)
  expect(await get(PREDICTIONS)).toMatch(/^HTTP\/1\.1 401 /)
  expect(await get(PREDICTIONS.replace('https', 'http'))).toMatch(/^HTTP\/1\.1 403 /)
  expect(await get('/v1/predictions')).toMatch(/^HTTP\/1\.1 400 /)
})

it('an allowed host needs the secret of the proxy, and then gets the bytes untouched', async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  onTestFinished(() => void echo.close())
  await once(echo, 'listening')
  const running = await intercepting({ allowed: ['127.0.0.*'] })
  const authority = `127.0.0.1:${(echo.address() as AddressInfo).port}`
  const open = (headers: string) =>
    raw(running, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${headers}\r\nbytes`)
  expect(await open('')).toMatch(/^HTTP\/1\.1 407 /)
  const { username, password } = new URL(running.interceptor.variables['HTTPS_PROXY'] ?? '')
  const credential = Buffer.from(`${username}:${password}`).toString('base64')
  expect(await open(`Proxy-Authorization: Basic ${credential}\r\n`)).toMatch(
    /^HTTP\/1\.1 200 .*\r\n\r\nbytes$/,
  )
  expect([...running.traffic.passed]).toEqual([[authority, 1]])
})

it.each([
  ['evil.example/.allowed.example:443'],
  ['evil.example?.allowed.example:443'],
  ['allowed.x@evil.example:443'],
  ['allowed.x:443@evil.example:443'],
  ['api.replicate.com'],
  [`${'x'.repeat(300)}:443`],
])('a tunnel to %s is refused, because it is not a host with a port', async (target) => {
  const running = await intercepting({ allowed: ['*.allowed.example', 'allowed.*', '*'] })
  const { username, password } = new URL(running.interceptor.variables['HTTPS_PROXY'] ?? '')
  const credential = Buffer.from(`${username}:${password}`).toString('base64')
  const head = `CONNECT ${target} HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic ${credential}\r\n\r\n`
  expect(await raw(running, head)).toMatch(/^HTTP\/1\.1 400 [\s\S]*such as api\.example\.com:443\.\n$/)
  expect(running.traffic.passed.size).toBe(0)
})

it('the report shows names that clients choose without control characters and credentials', async () => {
  const running = await intercepting()
  const { port, traffic } = running
  const options = { port, host: '127.0.0.1', servername: '\u001b[31mred', ALPNProtocols: ['h2'] }
  await once(connectSecurely(options), 'error')
  await raw(running, 'GET http://user:secret@api.stripe.com/ HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => [...traffic.failed.keys()]).toEqual(['?[31mred: the client speaks HTTP/2 only'])
  expect([...traffic.refused.keys()]).toEqual(['api.stripe.com'])
})

it('a fault that resets the connection does so below TLS', async () => {
  const running = await intercepting({
    scenario: { faults: [{ when: { operation: 'tasks.create' }, then: 'reset' }] },
  })
  await expect(send(running, PREDICTIONS, { method: 'POST' })).rejects.toMatchObject({ code: 'ECONNRESET' })
})

it('a WebSocket is not possible, and a client that does not trust the certificate is counted', async () => {
  const running = await intercepting()
  const { port, ca, traffic } = running
  const socket = connectSecurely({ port, host: '127.0.0.1', servername: 'api.replicate.com', ca })
  socket.write(
    'GET /v1/live HTTP/1.1\r\nHost: api.replicate.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 501 /)
  expect([...traffic.unknownPaths.keys()]).toEqual(['WebSocket https://api.replicate.com/v1/live'])
  await expect(send({ port, ca: [] as never }, PREDICTIONS)).rejects.toMatchObject({
    code: /SELF_SIGNED|UNABLE/,
  })
})

it("a dialect of the user's own counts by its hosts, and replaces the built-in one there", async () => {
  const own = parseDialect(`
name: acme
title: Acme
hosts: [https://api.replicate.com, https://api.acme.example:8443, http://plain.example, 'https://*.wild.example', https://one.example.]
ids: { characters: uuid }
statuses: { queued: a, processing: b, succeeded: c, failed: d, canceled: e }
task: { id: '{{id}}', status: '{{status}}' }
error: { body: { message: '{{message}}' } }
operations:
  POST /v1/jobs: { action: create }
  GET /v1/jobs/{task_id}: retrieve
`)
  const sim = createSimulator({ dialects: [own] })
  onTestFinished(() => sim.close())
  const hosts = await ServiceHosts.load(sim.dialects, [])
  const of = (host: string) => hosts.addressOf({ url: '/v1/x', headers: { host } } as never)
  expect(of('api.replicate.com')?.path).toBe('/acme/v1/x')
  expect(of('api.acme.example:8443')).toEqual({ origin: 'https://api.acme.example:8443', path: '/acme/v1/x' })
  expect([of('plain.example'), of('api.acme.example')]).toEqual([undefined, undefined])
  expect(of('queue.fal.run')?.path).toBe('/fal/queue/v1/x')
  expect([of('x.wild.example'), of('*.wild.example'), of('one.example.')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  await expect(ServiceHosts.load(sim.dialects, ['acne'])).rejects.toThrow(/There is no dialect "acne".*acme/)
  await expect(ServiceHosts.load(sim.dialects, ['tasks'])).rejects.toThrow(/"tasks" has no hosts/)
})
