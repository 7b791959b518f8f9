import { expect, it, vi } from 'vitest'
import { exchange, openSocket, parts, plainRequest } from './raw-socket.js'
import { type FaultInput, serveWithFaults } from './serve-with-faults.js'

const LIST = plainRequest('GET /api/v1/tasks')
const EMPTY_PAGE = '{"data":[],"has_more":false,"next_cursor":null}'

it.each([
  [400, 'Bad Request', 'invalid_request'],
  [401, 'Unauthorized', 'unauthorized'],
  [402, 'Payment Required', 'insufficient_credits'],
  [403, 'Forbidden', 'forbidden'],
  [404, 'Not Found', 'not_found'],
  [408, 'Request Timeout', 'request_timeout'],
  [409, 'Conflict', 'conflict'],
  [429, 'Too Many Requests', 'rate_limited'],
  [500, 'Internal Server Error', 'internal_error'],
  [502, 'Bad Gateway', 'bad_gateway'],
  [503, 'Service Unavailable', 'unavailable'],
  [504, 'Gateway Timeout', 'gateway_timeout'],
])('%i is on the wire in the envelope of the service, with its code', async (status, reason, code) => {
  const { origin } = await serveWithFaults(status)
  const { received, ended } = await exchange(origin, LIST)
  const message = `The service answers ${status} because the scenario says so.`
  const body = JSON.stringify({ error: { code, message, request_id: 'req_00000001' } })
  expect(parts(received)).toEqual({
    line: `HTTP/1.1 ${status} ${reason}`,
    headers: [
      'content-type: application/json',
      'x-request-id: req_00000001',
      `content-length: ${body.length}`,
      'Connection: close',
    ],
    body,
  })
  expect(ended).toBe('FIN')
})

it.each([
  [
    'envelope',
    'application/json',
    { error: { code: 'busy', message: 'Later.', request_id: 'req_00000001' } },
  ],
  [
    'problem',
    'application/problem+json',
    { type: 'about:blank', title: 'busy', status: 503, detail: 'Later.', request_id: 'req_00000001' },
  ],
  ['detail', 'application/json', { detail: 'Later.' }],
] as const)('an error in the style %s has the code and message of the fault', async (errors, type, body) => {
  const { origin } = await serveWithFaults(
    { status: 503, code: 'busy', message: 'Later.' },
    { api: { errors } },
  )
  const answer = parts((await exchange(origin, LIST)).received)
  expect(answer.headers).toContain(`content-type: ${type}`)
  expect(JSON.parse(answer.body)).toEqual(body)
})

it.each<[string, FaultInput]>([
  ['5', { status: 503, retry_after: '5s' }],
  ['2', { status: 429, retry_after: '1500ms' }],
  ['Thu, 01 Jan 2026 01:00:05 GMT', { status: 503, retry_after: { date: '5s' } }],
])('Retry-After is %s, by the clock of the simulator', async (value, fault) => {
  const { sim, origin } = await serveWithFaults(fault)
  await sim.clock.advance('1h')
  expect(parts((await exchange(origin, LIST)).received).headers).toContain(`retry-after: ${value}`)
})

it('a delay holds every byte until the clock has passed it', async () => {
  const { sim, origin, waits } = await serveWithFaults({ delay: '2s' })
  const socket = await openSocket(origin)
  socket.write(LIST)
  await waits(socket)
  await sim.clock.advance('1999ms')
  expect((await waits(socket)).received).toBe('')
  await sim.clock.advance('1ms')
  expect(parts((await socket.end()).received).body).toBe(EMPTY_PAGE)
})

it('a delay of zero holds nothing, even on a frozen clock', async () => {
  const { origin } = await serveWithFaults({ delay: '0s' })
  expect(parts((await exchange(origin, LIST)).received).body).toBe(EMPTY_PAGE)
})

it('a slow body arrives in pieces as the clock advances, after its headers', async () => {
  const { sim, origin, waits } = await serveWithFaults({ bytes_per_second: 20 })
  const socket = await openSocket(origin)
  socket.write(LIST)
  const come = async () => parts((await waits(socket)).received).body
  expect(await come()).toBe(EMPTY_PAGE.slice(0, 2))
  expect(parts(socket.received).headers).toContain(`content-length: ${EMPTY_PAGE.length}`)
  await sim.clock.advance('100ms')
  expect(await come()).toBe(EMPTY_PAGE.slice(0, 4))
  await sim.clock.advance('99ms')
  expect(await come()).toBe(EMPTY_PAGE.slice(0, 4))
  for (let second = 0; second < 3; second++) await sim.clock.advance('1s')
  expect(await socket.end()).toMatchObject({ ended: 'FIN' })
  expect(parts(socket.received).body).toBe(EMPTY_PAGE)
})

it('a slow body keeps up with the clock, however far it advances at once', async () => {
  const { sim, origin, waits } = await serveWithFaults({ bytes_per_second: 10 })
  const socket = await openSocket(origin)
  socket.write(LIST)
  await waits(socket)
  await sim.clock.advance('3s')
  expect(parts((await waits(socket)).received).body).toBe(EMPTY_PAGE.slice(0, 31))
})

it('a reset before the headers sends no byte', async () => {
  const { origin } = await serveWithFaults({ reset: 'before' })
  expect(await exchange(origin, LIST)).toEqual({ received: '', ended: 'RST' })
})

it('a reset during the headers sends only a part of them', async () => {
  const { origin } = await serveWithFaults({ reset: 'during' })
  const { received, ended } = await exchange(origin, LIST)
  expect(ended).toBe('RST')
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\w-]+: [\w/]+$/)
})

it('a reset after the headers sends complete headers and no body', async () => {
  const { origin } = await serveWithFaults({ reset: 'after' })
  const { received, ended } = await exchange(origin, LIST)
  expect(parts(received)).toMatchObject({ line: 'HTTP/1.1 200 OK', body: '' })
  expect(parts(received).headers).toContain(`content-length: ${EMPTY_PAGE.length}`)
  expect(ended).toBe('RST')
})

it.each([0, 0.5, 0.99])('a body that is cut at %d is shorter than its Content-Length', async (cut) => {
  const { origin } = await serveWithFaults({ cut })
  const { received, ended } = await exchange(origin, LIST)
  const { headers, body } = parts(received)
  expect(headers).toContain(`content-length: ${EMPTY_PAGE.length}`)
  expect(body).toBe(EMPTY_PAGE.slice(0, Math.floor(EMPTY_PAGE.length * cut)))
  expect(ended).toBe('FIN')
})

it('a request that hangs gets no byte, and the server still closes at once', async () => {
  const { sim, origin, close } = await serveWithFaults('hang')
  const socket = await openSocket(origin)
  const answered = vi.fn()
  sim.on('request.answered', answered)
  socket.write(LIST)
  await expect.poll(() => answered.mock.calls.length).toBe(1)
  await sim.clock.advance('1d')
  expect((await fetch(`${origin}/_sim/clock`)).status).toBe(200)
  expect(socket).toMatchObject({ received: '', ended: undefined })
  await Promise.all([close(), socket.end()])
  expect(socket.received).toBe('')
})
