import { expect, test } from 'vitest'
import type { Simulator } from '../../../src/simulator/simulator.js'
import { runs } from '../../support/deep.js'
import { neverAnswers, recorder } from '../../support/recorder.js'
import { create, simulate } from '../../support/simulations.js'

const HOOK = 'http://receiver.test/hook'
/** Real milliseconds for which an advance waits for a receiver that does not answer. */
const PATIENCE = 20

/** Returns the start of each attempt, its result, and the due time of the next one, in ms. */
function attemptsOf(sim: Simulator) {
  const attempts: {
    url: string
    at: number
    status: number | undefined
    state: string
    retryAt: number | undefined
  }[] = []
  sim.on('delivery.attempted', ({ url, state }, { startedAt, status, retryAt }) => {
    attempts.push({ url, at: startedAt, status, state, retryAt })
  })
  return attempts
}

test('a delivery is retried after 1, 5 and 25 s, and then given up', async () => {
  const sim = simulate({ transport: recorder(() => 500).transport })
  const attempts = attemptsOf(sim)
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(attempts.map(({ at, state, retryAt }) => [at, state, retryAt])).toEqual([
    [1_000, 'pending', 2_000],
    [2_000, 'pending', 7_000],
    [7_000, 'pending', 32_000],
    [32_000, 'given_up', undefined],
  ])
})

test('a delivery ends with the first accepting answer', async () => {
  const { posts, transport } = recorder((_, count) => (count < 3 ? 503 : 204))
  const sim = simulate({ transport })
  const attempts = attemptsOf(sim)
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(posts).toHaveLength(3)
  expect(attempts.at(-1)).toEqual({
    url: HOOK,
    at: 7_000,
    status: 204,
    state: 'delivered',
    retryAt: undefined,
  })
})

test('an attempt is announced before what follows from it', async () => {
  const sim = simulate({ transport: recorder((_, count) => (count < 2 ? 500 : 204)).transport })
  const events: string[] = []
  sim.events.on('delivery.attempted', ({ state }) => events.push(`attempted: ${state}`))
  sim.events.on('delivery.ended', ({ state }) => events.push(`ended: ${state}`))
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(events).toEqual(['attempted: pending', 'attempted: delivered', 'ended: delivered'])
})

test('a receiver that is permanently gone gets no retry', async () => {
  const { posts, transport } = recorder(() => 410)
  const sim = simulate({ transport })
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(posts).toHaveLength(1)
})

test('every attempt sends the same bytes and the same signature', async () => {
  const { posts, transport } = recorder(() => 500)
  const sim = simulate({ transport })
  const { id } = await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  const [first] = posts
  expect(JSON.parse(first?.text ?? '')).toMatchObject({
    event: 'task.succeeded',
    task: { id, status: 'succeeded' },
  })
  expect(new Set(posts.map(({ text }) => text)).size).toBe(1)
  expect(new Set(posts.map(({ headers }) => headers['X-Service-Signature'])).size).toBe(1)
})

test('an attempt without an answer times out on the clock, and the retry delay starts then', async () => {
  const sim = simulate({ transport: recorder(neverAnswers).transport, patience: PATIENCE })
  const attempts = attemptsOf(sim)
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(attempts.map(({ at, state, retryAt }) => [at, state, retryAt])).toEqual([
    [1_000, 'pending', 17_000],
    [17_000, 'pending', 37_000],
    [37_000, 'pending', 77_000],
    [77_000, 'given_up', undefined],
  ])
})

test('a transport that ignores its signal times out as well', async () => {
  const sim = simulate({ transport: () => new Promise(() => {}), patience: PATIENCE })
  const attempts = attemptsOf(sim)
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(attempts.map(({ at }) => at)).toEqual([1_000, 17_000, 37_000, 77_000])
})

test('a transport error is a failed attempt with a reason', async () => {
  const sim = simulate({ transport: () => Promise.reject(new Error('no route to host')) })
  const errors: (string | undefined)[] = []
  sim.on('delivery.attempted', (_, { error }) => errors.push(error))
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(errors).toEqual(Array(4).fill('no route to host'))
})

test('a delivery whose attempt cannot be made is given up, and the next one to its receiver is sent', async () => {
  const { posts, transport } = recorder()
  const scenario = { webhooks: { receivers: [{ url: HOOK, ordered: true }] } }
  const sim = simulate({ scenario, transport })
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const failure = new Error('The signature cannot be computed.')
  let attempts = 0
  sim.tracing.tracer = {
    beginTask: () => undefined,
    beginAttempt() {
      attempts += 1
      if (attempts === 1) throw failure
      return undefined
    },
  }
  const { id } = await create(sim, { input: { first: true } })
  await create(sim, { input: { second: true } })
  await sim.clock.advance('1h')
  expect(errors).toEqual([failure])
  expect(sim.webhooks.log.counts).toMatchObject({ pending: 0, given_up: 1, delivered: 1 })
  expect(posts.map(({ text }) => JSON.parse(text).task.id)).not.toContain(id)
})

test('a receiver of the scenario gets no webhook if no pattern allows it', async () => {
  const { posts, transport } = recorder()
  const [allowed, other] = ['http://app.test/hook', 'http://elsewhere.test/hook?token=secret']
  const scenario = { webhooks: { receivers: [allowed, other], retries: [] } }
  const sim = simulate({ scenario, transport, webhookAllow: ['http://app.test/*'] })
  const errors: (string | undefined)[] = []
  sim.on('delivery.attempted', (_, { error }) => errors.push(error))
  await create(sim)
  await sim.clock.advance('1h')
  expect(posts.map(({ url }) => url)).toEqual([allowed])
  expect(errors).toContain(
    'webhooks may not go to http://elsewhere.test/hook?token=***; allow it with --webhook-allow (`webhookAllow`)',
  )
})

test('a receiver that never answers delays no other', async () => {
  const { posts, transport } = recorder((post) => (post.url.includes('slow') ? neverAnswers(post) : 200))
  const sim = simulate({ transport, patience: PATIENCE })
  for (let index = 0; index < 100; index++) {
    await create(sim, { input: { index }, webhookUrl: 'http://slow.test/' })
    await create(sim, { input: { index }, webhookUrl: 'http://quick.test/' })
  }
  await sim.clock.advance('1s')
  expect(posts.filter(({ url }) => url === 'http://quick.test/')).toHaveLength(100)
})

test('deliveries that are due at the same instant are sent in the order of their tasks', async () => {
  const { posts, transport } = recorder()
  const sim = simulate({ transport })
  const ids: string[] = []
  for (let index = 0; index < 50; index++) {
    const input = { index }
    const { id } = await create(sim, { input, webhookUrl: index % 2 === 0 ? HOOK : 'http://other.test/' })
    ids.push(id)
  }
  await sim.clock.advance('1s')
  expect(posts.map(({ text }) => JSON.parse(text).task.id)).toEqual(ids)
})

test('many deliveries each arrive once after a receiver was down for the first two attempts', async () => {
  const { posts, transport } = recorder(() => (sim.clock.now() < 7_000 ? 503 : 200))
  const sim = simulate({ transport })
  const attempts = attemptsOf(sim)
  const count = runs(200, 2_000)
  const ids = new Set<string>()
  for (let index = 0; index < count; index++)
    ids.add((await create(sim, { input: { index }, webhookUrl: HOOK })).id)
  await sim.clock.advance('10s')
  const delivered = attempts.filter(({ state }) => state === 'delivered')
  expect(delivered.map(({ at }) => at)).toEqual(Array(count).fill(7_000))
  expect(posts).toHaveLength(3 * count)
  expect(new Set(posts.slice(2 * count).map(({ text }) => JSON.parse(text).task.id))).toEqual(ids)
})
