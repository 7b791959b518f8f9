import { getResponse, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type SimulatorOptions, verifySignature } from '../../src/index.js'
import { json } from '../support/json.js'

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

function intercept(options: SimulatorOptions = {}, baseUrl?: string) {
  const sim = createSimulator({ clock: 'manual', ...options })
  const unhandled: string[] = []
  const server = setupServer(...handlers(sim, baseUrl === undefined ? {} : { baseUrl }))
  // The option names of MSW 2 and of MSW 3.
  const callbacks = {
    onUnhandledRequest: ({ url }: Request) => void unhandled.push(url),
    onUnhandledFrame: ({ frame }: { frame: { data: { request: Request } } }) =>
      void unhandled.push(frame.data.request.url),
  }
  server.listen(callbacks)
  server.use(http.get('http://own.test/*', () => HttpResponse.text('own')))
  onTestFinished(() => {
    server.close()
    sim.close()
  })
  return { sim, unhandled }
}

const create = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) })

it('the MSW host runs a video job from its creation to a signed webhook without a network or waiting', async () => {
  const events: unknown[] = []
  const { sim } = intercept({
    receivers: [
      async (request) => {
        const body = await request.text()
        const signature = request.headers.get('x-service-signature')
        events.push([JSON.parse(body).event, verifySignature(body, signature, 'whsec_local_signing_secret')])
        return new Response(null, { status: 204 })
      },
    ],
  })
  const url = 'https://api.example.com/api/v1/tasks'
  const { id } = await json(create(url, { model: 'acme/video-1', input: { prompt: 'waves', duration: 8 } }))
  await sim.clock.advance('2m')
  const task = await json(fetch(`${url}/${id}`, { headers: HEADERS }))
  expect(task).toMatchObject({ status: 'succeeded', cost_usd: 0.8 })
  expect(task.output.video).toMatch(/^https:\/\/api\.example\.com\/files\//)
  const file = await fetch(task.output.video)
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(4, 8)
      .toString(),
  ).toBe('ftyp')
  expect(events).toEqual([['task.succeeded', true]])
})

it.each([
  ['before', 'ECONNRESET'],
  ['during', 'UND_ERR_SOCKET'],
] as const)(
  'the MSW host fails a connection that is reset %s the answer with the code of Node',
  async (reset, code) => {
    intercept({ scenario: { faults: [{ then: [{ reset }] }] } })
    const failed = fetch('https://api.example.com/api/v1/tasks', { headers: HEADERS })
    await expect(failed).rejects.toMatchObject({ cause: { code } })
  },
)

it('the MSW host passes a webhook to the function that is registered for its URL', async () => {
  const seen: string[] = []
  const url = 'https://app.example.com/api/hooks'
  const handle = (request: Request) => {
    seen.push(`${request.method} ${request.url}`)
    return new Response()
  }
  const { sim } = intercept({ receivers: [{ url, handle }] })
  await create('https://api.example.com/v1/tasks', { model: 'm', input: {}, webhook_url: url })
  await sim.clock.advance('1m')
  expect(seen).toEqual([`POST ${url}`])
})

it.each([false, true])(
  'the MSW host passes the webhooks of a task that names no receiver, if it shall: %s',
  async (everyTask) => {
    const seen: string[] = []
    const url = 'https://app.example.com/api/hooks'
    const handle = async (request: Request) => {
      seen.push((await request.json()).task.id)
      return new Response()
    }
    const { sim } = intercept({ receivers: [{ url, handle, everyTask }] })
    const create = (order: object) =>
      sim.create({ owner: 'sk', model: 'm', input: {}, webhookUrl: undefined, origin: '', ...order })
    const [unnamed, named] = [await create({}), await create({ webhookUrl: `${url}?job=1` })]
    await sim.clock.advance('1m')
    expect(seen.sort()).toEqual(everyTask ? [unnamed.id, named.id].sort() : [named.id])
  },
)

it('the MSW host answers on any origin, and matches only its own paths', async () => {
  const { unhandled } = intercept()
  for (const origin of ['https://one.example', 'http://two.example:8080']) {
    expect((await create(`${origin}/v1/tasks`, { model: 'm', input: {} })).status).toBe(200)
  }
  const foreign = [
    '/',
    '/api/v1/tasksx',
    '/api/v1/users',
    '/v2/tasks',
    '/files/report.pdf',
    '/x/api/v1/tasks',
  ]
  for (const path of foreign) await fetch(`http://own.test${path}`)
  expect(unhandled).toEqual([])
  for (const path of foreign) await fetch(`http://127.0.0.1:65535${path}`).catch(() => {})
  expect(unhandled).toEqual(foreign.map((path) => `http://127.0.0.1:65535${path}`))
})

it('handles all paths under its base URL, including unknown ones', async () => {
  const { sim, unhandled } = intercept({ scenario: 'instant' }, 'https://gateway.example.com/ai/gen/')
  const base = 'https://gateway.example.com/ai/gen'
  const { id } = await json(create(`${base}/tasks`, { model: 'm', input: {} }))
  const task = await json(fetch(`${base}/tasks/${id}?x=1`, { headers: HEADERS }))
  expect(task.status).toBe('succeeded')
  expect((await fetch(task.output.images[0])).status).toBe(200)
  expect((await fetch(`${base}/nothing`, { headers: HEADERS })).status).toBe(404)
  await fetch('http://127.0.0.1:65535/api/v1/tasks').catch(() => {})
  expect(unhandled).toEqual(['http://127.0.0.1:65535/api/v1/tasks'])
  expect(sim.scenario.name).toBe('instant')
})

it('the MSW host rejects a body that is too large or truncated as the server does, with any amount of memory left', async () => {
  const { sim } = intercept({ keepBytes: '1MB' })
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
  const [send] = handlers(sim)
  const post = async (body: string | ReadableStream) => {
    const init = { method: 'POST', headers: HEADERS, body, duplex: 'half' }
    const request = new Request('https://api.example.com/api/v1/tasks', init as RequestInit)
    return (await getResponse(send === undefined ? [] : [send], request))?.status
  }
  expect([await post('x'.repeat(11 * 1024 * 1024)), await post(broken)]).toEqual([413, 400])
  expect(errors).toEqual([])
})

it('the MSW host lets a client cancel the body of an error, as before a retry', async () => {
  intercept()
  const { status, body } = await fetch('https://api.example.com/v1/tasks/task_unknown', { headers: HEADERS })
  expect(status).toBe(404)
  await body?.cancel()
})
