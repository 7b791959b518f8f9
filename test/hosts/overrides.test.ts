import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { slowHostTest } from '../support/deep.js'
import { simulate } from '../support/simulations.js'

const AUTHORIZATION = { authorization: 'Bearer sk_live_local' }

function forged(init: Record<string, unknown>): Response {
  const response = HttpResponse.json({ forged: true })
  for (const [name, value] of Object.entries(init)) Object.defineProperty(response, name, { value })
  return response
}

it.each<[string, () => unknown]>([
  ['throws undefined', () => thrown(undefined)],
  ['throws null', () => thrown(null)],
  ['throws a word that Express knows', () => thrown('router')],
  ['throws a string', () => thrown('text')],
  ['rejects with undefined', () => Promise.reject(undefined)],
  ['answers with the status 1000', () => forged({ status: 1000 })],
  ['answers with the status 100', () => forged({ status: 100 })],
  ['answers with a status that is not a number', () => forged({ status: 'ok' })],
  ['answers with a status text of two lines', () => forged({ statusText: 'a\r\nb' })],
  ['answers with a header of two lines', () => forged({ headers: new Map([['x-a', 'a\r\nb']]) })],
  ['throws a Response with the status 1000', () => thrown(forged({ status: 1000 }))],
  ['answers with an object that only inherits from Response', () => Object.create(Response.prototype)],
])(
  'a handler that %s is answered with 500 in the envelope, and the server keeps serving',
  async (_, handler) => {
    const sim = simulate()
    const errors: unknown[] = []
    sim.on('error', (error) => errors.push(error))
    const overrides = [http.get('*/tasks/broken', () => handler() as never)]
    const { baseUrl, close } = await listen(sim, { port: 0, overrides })
    onTestFinished(close)
    const broken = await fetch(`${baseUrl}/tasks/broken`, { headers: AUTHORIZATION })
    const { error } = (await broken.json()) as { error: Record<string, string> }
    expect([broken.status, error['code'], broken.headers.get('x-request-id')]).toEqual([
      500,
      'internal_error',
      error['request_id'],
    ])
    expect(errors).toEqual([expect.any(Error)])
    expect((await fetch(`${baseUrl}/tasks`, { headers: AUTHORIZATION })).status).toBe(200)
  },
)

it('a handler may throw its response', async () => {
  const overrides = [
    http.get('*/tasks', () => thrown(HttpResponse.json({ own: true }, { status: 418 })) as never),
  ]
  const { baseUrl, close } = await listen(simulate(), { port: 0, overrides })
  onTestFinished(close)
  expect((await fetch(`${baseUrl}/tasks`)).status).toBe(418)
})

function thrown(value: unknown): never {
  throw value
}

it('a header of a handler replaces that of --cors', async () => {
  const headers = { 'Access-Control-Allow-Origin': '*' }
  const overrides = [http.get('*/tasks', () => HttpResponse.json({}, { headers }))]
  const { baseUrl, close } = await listen(simulate(), { port: 0, overrides, cors: ['http://page.test'] })
  onTestFinished(close)
  const answer = await fetch(`${baseUrl}/tasks`, {
    headers: { ...AUTHORIZATION, origin: 'http://page.test' },
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})

slowHostTest('a body that only an upload may have passes through the handlers', async () => {
  const sim = simulate()
  const seen: number[] = []
  const overrides = [
    http.post(
      '*/v2/*',
      async ({ request }) => void seen.push((await request.clone().arrayBuffer()).byteLength),
    ),
  ]
  const { baseUrl, close } = await listen(sim, { port: 0, overrides })
  onTestFinished(close)
  const post = (path: string) =>
    fetch(`${new URL(baseUrl).origin}/assemblyai/v2/${path}`, {
      method: 'POST',
      headers: { authorization: 'key', 'content-type': 'application/json' },
      body: new Uint8Array(11 * 1024 * 1024),
    })
  expect((await post('upload')).status).toBe(200)
  expect((await post('transcript')).status).toBe(413)
  expect(seen).toEqual([11 * 1024 * 1024, 11 * 1024 * 1024])
  expect(sim.memory.transfers.bytes).toBe(0)
})
