import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { nodeTransport } from '../../../src/cli/transport/node-transport.js'
import { targetPolicy } from '../../../src/engine/webhooks/attempts/target-policy.js'
import { fetchTransport, PARTIAL } from '../../../src/engine/webhooks/attempts/transport.js'
import type { Delivery, Duration, Simulator, Transport } from '../../../src/index.js'
import { deepTest, sampleOf } from '../../support/deep.js'
import { create, simulate } from '../../support/simulations.js'
import { type Respond, startHostileServer, writeForever } from './hostile-server.js'

const MEGABYTE = Buffer.alloc(2 ** 20, 'x')
const HEAD = 'HTTP/1.1 200 OK\r\n'
const KEPT = 4_096

/** Creates a simulator that sends its webhooks to a hostile receiver, with one attempt, and to a friendly one. */
function simulateAttack(hostile: string, patience: Duration, transport: Transport) {
  const errors: unknown[] = []
  const friendlyEvents: string[] = []
  const friendly = {
    url: 'http://friendly.test/',
    everyTask: true,
    handle: async (request: Request) => {
      friendlyEvents.push(JSON.parse(await request.text()).task.id)
      return new Response()
    },
  }
  const sim = simulate({
    scenario: { defaults: { delay: '1s' }, webhooks: { retries: [] } },
    receivers: [hostile, friendly],
    transport,
    patience,
  })
  sim.on('error', (error) => errors.push(error))
  return { sim, errors, friendlyEvents }
}

/** Returns the deliveries to a URL. */
const sentTo = (sim: Simulator, url: string): Delivery[] =>
  sim.webhooks.log.list({ limit: 100, url })?.deliveries ?? []

/** Sends a webhook to a hostile receiver, and returns its only attempt. */
async function attack(hostile: string, patience: Duration, transport: Transport) {
  const { sim, errors, friendlyEvents } = simulateAttack(hostile, patience, transport)
  const { id } = await create(sim)
  await sim.clock.runUntilIdle()
  const deliveries = sentTo(sim, hostile)
  expect(deliveries).toHaveLength(1)
  expect(deliveries[0]?.attempts).toHaveLength(1)
  const [friendly] = sentTo(sim, 'http://friendly.test/')
  expect([friendlyEvents, friendly?.state, friendly?.attempts[0]?.startedAt]).toEqual([
    [id],
    'delivered',
    1_000,
  ])
  expect([errors, sim.webhooks.log.counts.pending]).toEqual([[], 0])
  // A second hostile answer must also have no effect.
  const { id: second } = await create(sim, { input: { second: true } })
  await sim.clock.runUntilIdle()
  expect([friendlyEvents, errors]).toEqual([[id, second], []])
  const { state, attempts } = deliveries[0] as Delivery
  const [attempt] = attempts as [(typeof attempts)[0]]
  expect(attempt.answer?.body?.length ?? 0).toBeLessThanOrEqual(KEPT)
  return { state, ...attempt, ended: sim.clock.now() }
}

interface Expected {
  readonly status: number
  readonly body?: string
  readonly isCut?: true
  readonly partial?: RegExp | string
}

const BOMB = Buffer.alloc(2 ** 25, 'x')

/** 32 MB that a receiver compresses to at most 150 kB, by encoding. */
const BOMBS: readonly [string, Buffer][] = [
  ['gzip', zlib.gzipSync(BOMB, { level: 1 })],
  ['deflate', zlib.deflateSync(BOMB, { level: 1 })],
  ['br', zlib.brotliCompressSync(BOMB, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
]

const bombAnswer = ([encoding, bomb]: (typeof BOMBS)[0]): [string, Respond, Expected] => [
  `answers with a bomb in ${encoding}`,
  (socket) => {
    socket.write(`${HEAD}Content-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  },
  { status: 200, body: 'x'.repeat(KEPT), partial: PARTIAL.long },
]

/** Receivers that answer, with the expected attempt. */
const answers: readonly [string, Respond, Expected][] = [
  [
    'answers with 100 MB',
    (socket) => {
      socket.write(`${HEAD}Content-Length: ${100 * MEGABYTE.length}\r\n\r\n`)
      writeForever(socket, MEGABYTE, 100)
    },
    { status: 200, body: 'x'.repeat(KEPT), isCut: true, partial: PARTIAL.long },
  ],
  [
    'answers without an end',
    (socket) => {
      socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
      writeForever(socket, Buffer.concat([Buffer.from('100000\r\n'), MEGABYTE, Buffer.from('\r\n')]))
    },
    { status: 200, body: 'x'.repeat(KEPT), isCut: true, partial: PARTIAL.long },
  ],
  ...BOMBS.map(bombAnswer),
  [
    'says that its answer is compressed, which it is not',
    (socket) => socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain`),
    // `fetch` does not distinguish the two.
    { status: 200, partial: new RegExp(`${PARTIAL.undecodable}|${PARTIAL.cut}`) },
  ],
  [
    'breaks off in the middle of its answer',
    (socket) => socket.end(`${HEAD}Content-Length: 1000\r\n\r\nhalf`),
    { status: 200, body: 'half', partial: PARTIAL.cut },
  ],
  [
    'redirects in circles',
    (socket, url) => socket.end(`HTTP/1.1 307 Go\r\nLocation: ${url}\r\nContent-Length: 0\r\n\r\n`),
    { status: 307, body: '' },
  ],
]

/** Receivers that never finish, so that the clock must time out. */
const endless: readonly [string, Respond][] = [
  ['says nothing', () => {}],
  ['never ends its headers', (socket) => socket.write(`${HEAD}X-First: 1\r\n`)],
  ['never ends its status line', (socket) => socket.write('HTTP/1.1 20')],
  [
    'sends a header now and then',
    (socket) => {
      socket.write(HEAD)
      const timer = setInterval(() => socket.write('X-More: 1\r\n'), 5)
      socket.on('close', () => clearInterval(timer))
    },
  ],
]

/** Receivers whose answers no client can parse. */
const unparsable: readonly [string, Respond, RegExp][] = [
  [
    'sends headers for ever',
    (socket) => {
      socket.write(HEAD)
      writeForever(socket, `X-More: ${'x'.repeat(1_000)}\r\n`)
    },
    /header/i,
  ],
  ['closes the connection at once', (socket) => socket.destroy(), /closed|reset/i],
  ['resets the connection', (socket) => socket.resetAndDestroy(), /closed|reset/i],
  ['closes in its headers', (socket) => socket.end(`${HEAD}X-Fir`), /closed|reset|header/i],
  ['answers no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\0\x01\x02'), /HTTP/],
  [
    'answers in two lengths',
    (socket) => socket.end(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`),
    /length/i,
  ],
  [
    'switches protocols',
    (socket) => socket.write('HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    /upgrade/i,
  ],
]

const transports: readonly [string, Transport][] = [
  ['fetch', fetchTransport],
  ['node:http', nodeTransport(targetPolicy(undefined))],
]

describe.each(sampleOf(1, transports))('by %s', (_, transport) => {
  test.each(answers)('a receiver that %s has answered', async (_, deed, expected) => {
    const server = await startHostileServer(deed)
    const { state, status, answer, error } = await attack(server.url, '5s', transport)
    expect([status, error]).toEqual([expected.status, undefined])
    expect(state).toBe(expected.status === 200 ? 'delivered' : 'given_up')
    if (expected.body !== undefined) expect(answer?.body).toBe(expected.body)
    if (expected.partial === undefined) expect(answer?.partial).toBeUndefined()
    else expect(answer?.partial).toMatch(expected.partial)
    expect(server.requests).toBe(2)
    // The client stops reading an answer once it has the needed part.
    if (expected.isCut) await server.left()
    expect(server.written).toBeLessThan(50 * MEGABYTE.length)
  })

  test.each(endless)('a receiver that %s costs one attempt, which times out', async (_, deed) => {
    const server = await startHostileServer(deed)
    const { state, status, error, ended } = await attack(server.url, '50ms', transport)
    expect([state, status, error]).toEqual(['given_up', undefined, 'no answer within 15 s'])
    // Twice a task of a second, followed by the timeout.
    expect(ended).toBe(32_000)
    await server.left()
  })

  deepTest('a receiver that never ends the body of its 200 has accepted the webhook', async () => {
    const server = await startHostileServer((socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\nhalf`))
    const { state, status, error, answer } = await attack(server.url, '1s', transport)
    await server.left()
    expect([state, status, error]).toEqual(['delivered', 200, undefined])
    expect([answer?.body, answer?.partial]).toEqual(['half', PARTIAL.timeout])
  })

  test.each(unparsable)(
    'a receiver that %s costs one attempt, which records the reason',
    async (_, deed, reason) => {
      const server = await startHostileServer(deed)
      const { state, status, error } = await attack(server.url, '5s', transport)
      expect([state, status]).toEqual(['given_up', undefined])
      expect(error).toMatch(reason)
      expect(server.requests).toBe(2)
      await server.left()
    },
  )

  test('an unknown host costs one attempt, whose error names the host', async () => {
    const { state, status, error } = await attack('http://no-such-host.invalid/', '5s', transport)
    expect([state, status]).toEqual(['given_up', undefined])
    expect(error).toMatch(/no-such-host\.invalid/)
  })
})
