import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import express from 'express'
import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createApp } from '../../src/hosts/express/app.js'
import { createServer } from '../../src/hosts/express/create-server.js'
import type { AppOptions } from '../../src/hosts/express/index.js'
import type { RefusedRequest, SimulatorOptions } from '../../src/index.js'
import { openSocket, plainRequest } from '../http/raw-socket.js'
import { simulate } from '../support/simulations.js'

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const LARGE = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'x'.repeat(200_000) } })

async function serve(options: AppOptions = {}, settings: SimulatorOptions = {}, parser = false) {
  const sim = simulate({ clock: 'manual', ...settings })
  const errors: unknown[] = []
  const refused: RefusedRequest[] = []
  sim.on('error', (error) => errors.push(error))
  sim.on('request.refused', (request) => refused.push(request))
  const app = createApp(sim, options)
  const server = createServer(sim, parser ? express().use(express.json({ limit: '1mb' }), app) : app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    sim.close()
    expect(errors).toEqual([])
  })
  return { sim, server, refused, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function upload(length: number, sent: string): string {
  const head = Object.entries({ host: 'localhost', ...HEADERS, 'content-length': length })
  return `POST /v1/tasks HTTP/1.1\r\n${head.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n${sent}`
}

it('a long answer whose client disconnects before it is ready is not counted', async () => {
  const faults = [{ when: { operation: 'tasks.retrieve' as const }, then: { delay: '1s' as const } }]
  const { sim, server, origin } = await serve({}, { scenario: { faults } })
  const created = await fetch(`${origin}/v1/tasks`, { method: 'POST', headers: HEADERS, body: LARGE })
  const { id } = (await created.json()) as { id: string }
  const connected = once(server, 'connection') as Promise<[Socket]>
  const arrived = once(server, 'request')
  const client = await openSocket(origin)
  const [connection] = await connected
  client.write(plainRequest(`GET /v1/tasks/${id}`))
  await arrived
  const closed = once(connection, 'close')
  client.close()
  await closed
  const answered = new Promise((resolve) => sim.on('request.answered', resolve))
  await sim.clock.advance('1s')
  await answered
  await new Promise((resolve) => setImmediate(resolve))
  expect(sim.memory.transfers.bytes).toBe(0)
})

const OVERRIDES = [http.get('*/own', () => HttpResponse.json({ own: true }))]

it.each<[string, AppOptions]>([
  ['without handlers', {}],
  ['with handlers in front', { overrides: OVERRIDES }],
])(
  'the memory budget counts a body during its upload, and rejects one that exceeds the budget, %s',
  async (_, options) => {
    const { sim, origin } = await serve(options, { keepBytes: '100MB' })
    const sockets = await Promise.all([0, 1, 2].map(() => openSocket(origin)))
    for (const socket of sockets) socket.write(upload(10_000_000, 'x'.repeat(9_000_000)))
    await expect.poll(() => sim.memory.transfers.bytes).toBe(27_000_000)
    const further = await openSocket(origin)
    further.write(upload(10_000_000, 'x'.repeat(9_000_000)))
    expect(await further.until((text) => text.includes('request_id'))).toMatch(
      /^HTTP\/1\.1 503 .*"over_budget"/s,
    )
    for (const socket of [...sockets, further]) socket.close()
    await expect.poll(() => sim.memory.transfers.bytes).toBe(0)
  },
)

it.each<[string, AppOptions, boolean]>([
  ['handlers pass on', { overrides: OVERRIDES }, false],
  ['a parser in front has read', {}, true],
  ['a parser in front has read and handlers pass on', { overrides: OVERRIDES }, true],
])('the memory budget counts a body once that %s, until it is answered', async (_, options, parser) => {
  const { sim, origin } = await serve(options, {}, parser)
  const most: number[] = []
  const add = sim.memory.transfers.add.bind(sim.memory.transfers)
  vi.spyOn(sim.memory.transfers, 'add').mockImplementation((bytes) => {
    add(bytes)
    most.push(sim.memory.transfers.bytes)
  })
  // The answer is short, so that only the body counts.
  const body = LARGE.replace('"acme/image-1"', '1')
  const { status } = await fetch(`${origin}/v1/tasks`, { method: 'POST', headers: HEADERS, body })
  expect(status).toBe(400)
  expect(Math.max(...most)).toBeGreaterThanOrEqual(body.length)
  expect(Math.max(...most)).toBeLessThan(1.5 * body.length)
  await expect.poll(() => sim.memory.transfers.bytes).toBe(0)
})

it('an aborted upload is rejected in front of handlers as it is without them', async () => {
  const { refused, origin } = await serve({ overrides: OVERRIDES })
  const socket = await openSocket(origin)
  const received = upload(1_000, 'xxx')
  socket.write(received)
  await fetch(`${origin}/own`)
  socket.close()
  await expect.poll(() => refused.map(({ status }) => status)).toEqual([400])
})
