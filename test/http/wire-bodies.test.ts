import { expect, it, vi } from 'vitest'
import { IMAGE } from './hosts.js'
import { createRequest, exchange, openSocket, parts, plainRequest } from './raw-socket.js'
import { type FaultInput, serveWithFaults } from './serve-with-faults.js'

const LIST = plainRequest('GET /api/v1/tasks')
const EMPTY_PAGE = '{"data":[],"has_more":false,"next_cursor":null}'
const JSON_TYPE = 'content-type: application/json'

it.each<[string, FaultInput, { line: string; type: string; body: string }]>([
  ['an empty body', 'empty', { line: '200 OK', type: JSON_TYPE, body: '' }],
  [
    'JSON that breaks off',
    'invalid_json',
    { line: '200 OK', type: JSON_TYPE, body: '{"data":[],"has_more":false,"nex' },
  ],
  ['the wrong type', 'wrong_type', { line: '200 OK', type: 'content-type: text/plain', body: EMPTY_PAGE }],
  [
    'a type of its own',
    { content_type: 'application/json; charset=latin1' },
    { line: '200 OK', type: 'content-type: application/json; charset=latin1', body: EMPTY_PAGE },
  ],
])('%s is answered with its real length', async (_, fault, { line, type, body }) => {
  const { origin } = await serveWithFaults(fault)
  const { received, ended } = await exchange(origin, LIST)
  expect(parts(received)).toEqual({
    line: `HTTP/1.1 ${line}`,
    headers: [type, 'x-request-id: req_00000001', `content-length: ${body.length}`, 'Connection: close'],
    body,
  })
  expect(ended).toBe('FIN')
})

it.each<[FaultInput, string]>([
  ['html', '502 Bad Gateway'],
  [{ status: 503, body: 'html' }, '503 Service Unavailable'],
  [{ body: 'html' }, '200 OK'],
])('a fault replaces JSON by a page: %j', async (fault, line) => {
  const { origin } = await serveWithFaults(fault)
  const answer = parts((await exchange(origin, LIST)).received)
  expect(answer.line).toBe(`HTTP/1.1 ${line}`)
  expect(answer.headers).toContain('content-type: text/html')
  expect(answer.headers).toContain(`content-length: ${answer.body.length}`)
  expect(answer.body).toMatch(/^<!DOCTYPE html>\n<html>.*<\/html>\n$/s)
})

it('a duplicated status is on the wire twice, with the real one last', async () => {
  const { sim, origin } = await serveWithFaults({ body: 'duplicate_status' })
  const created = parts((await exchange(origin, createRequest(IMAGE))).received)
  await sim.clock.advance('1m')
  const path = `/api/v1/tasks/${JSON.parse(created.body).id}`
  const { headers, body } = parts((await exchange(origin, plainRequest(`GET ${path}`))).received)
  expect(body).toContain('"status":"processing","status":"succeeded"')
  expect(body.match(/"status":/g)).toHaveLength(2)
  expect(headers).toContain(`content-length: ${body.length}`)
})

it('the headers of the fault replace those of the answer', async () => {
  const headers = { 'X-Cache': 'HIT', 'CONTENT-TYPE': 'application/json; v=2', Server: 'nginx/1.25' }
  const { origin } = await serveWithFaults({ headers })
  const answer = parts((await exchange(origin, LIST)).received)
  const named = (name: string) => answer.headers.filter((line) => line.toLowerCase().startsWith(`${name}: `))
  expect(named('x-cache')).toEqual(['x-cache: HIT'])
  expect(named('server')).toEqual(['server: nginx/1.25'])
  expect(named('content-type')).toEqual(['content-type: application/json; v=2'])
  expect(answer.body).toBe(EMPTY_PAGE)
})

it.each<FaultInput>(['cut', { bytes_per_second: 1 }, 'invalid_json', 'html', { status: 503 }])(
  'an answer to HEAD has no body to damage: %j',
  async (fault) => {
    const { origin } = await serveWithFaults(fault)
    const { received, ended } = await exchange(origin, plainRequest('HEAD /api/v1/tasks'))
    expect(parts(received).body).toBe('')
    expect(parts(received).headers).toContainEqual(expect.stringMatching(/^content-length: [1-9]/))
    expect(ended).toBe('FIN')
  },
)

it('a connection stays open after a complete but wrong answer', async () => {
  const { origin } = await serveWithFaults([503, 'html', 'empty', 'invalid_json', 'pass'])
  const socket = await openSocket(origin)
  const lines = () => socket.received.match(/HTTP\/1\.1 \d+/g) ?? []
  for (const count of [1, 2, 3, 4]) {
    socket.write(plainRequest('GET /api/v1/tasks', ''))
    await socket.until(() => lines().length === count)
  }
  socket.write(LIST)
  expect((await socket.end()).ended).toBe('FIN')
  expect(lines().map((line) => line.slice(9))).toEqual(['503', '502', '200', '200', '200'])
})

it.each<[string, FaultInput]>([
  ['is held back', { delay: '2s' }],
  ['is slow', { bytes_per_second: 1 }],
  ['hangs', 'hang'],
])('a client may disconnect while its answer %s', async (_, fault) => {
  const { sim, origin } = await serveWithFaults([fault])
  const socket = await openSocket(origin)
  const answered = vi.fn()
  sim.on('request.answered', answered)
  socket.write(LIST)
  await expect.poll(() => sim.clock.next ?? answered.mock.calls[0]).toBeDefined()
  socket.close()
  await sim.clock.advance('1h')
  expect(parts((await exchange(origin, LIST)).received).body).toBe(EMPTY_PAGE)
})

it('a reset of the simulator releases a delayed answer', async () => {
  const { sim, origin, waits } = await serveWithFaults({ delay: '30d' })
  const socket = await openSocket(origin)
  socket.write(LIST)
  await waits(socket)
  await sim.reset()
  expect(parts((await socket.end()).received).body).toBe(EMPTY_PAGE)
})
