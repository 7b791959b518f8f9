import { expect, test } from 'vitest'
import { Receivers } from '../../../../src/engine/webhooks/receivers/receivers.js'
import { neverAnswers, recorder } from '../../../support/recorder.js'
import { create, simulate } from '../../../support/simulations.js'

const HOOK = 'http://receiver.test/hook'
const OTHER = 'http://other.test/hook'

test('the receiver of the task and every registered one get the event', async () => {
  const { posts, transport } = recorder()
  const sim = simulate({
    scenario: { defaults: { delay: '1s' }, webhooks: { receivers: [OTHER] } },
    receivers: ['http://third.test/'],
    transport,
  })
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1s')
  expect(posts.map(({ url }) => url)).toEqual([HOOK, OTHER, 'http://third.test/'])
})

test('a receiver that is both registered and named by the task gets the event once', async () => {
  const { posts, transport } = recorder()
  const sim = simulate({ receivers: [HOOK], transport })
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1s')
  expect(posts).toHaveLength(1)
})

test('a receiver may be a function in this process', async () => {
  const received: (string | null)[][] = []
  const sim = simulate({
    receivers: [
      async (request) => {
        received.push([request.method, request.headers.get('content-type'), await request.text()])
        return new Response(null, { status: 204 })
      },
    ],
  })
  await create(sim)
  await sim.clock.advance('1s')
  expect(received).toEqual([
    ['POST', 'application/json', expect.stringMatching(/^\{"event":"task.succeeded",/)],
  ])
})

test.each([
  ['failed', { event: 'task.failed', task: { status: 'failed', error: { code: 'x', message: 'Y.' } } }],
  ['canceled', { event: 'task.canceled', task: { status: 'canceled' } }],
] as const)('the event of a task that ended as %s has that type', async (outcome, body) => {
  const { posts, transport } = recorder()
  const error = { code: 'x', message: 'Y.' }
  const sim = simulate({ scenario: { rules: [{ then: { outcome, error } }] }, transport })
  const { id } = await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1h')
  expect(posts.map(({ text }) => JSON.parse(text))).toEqual([{ ...body, task: { id, ...body.task } }])
})

test.each([
  ['task.cancelled', ['task.cancelled']],
  ['none', []],
] as const)('the event of a canceled task can be %s', async (canceled_event, events) => {
  const { posts, transport } = recorder()
  const sim = simulate({ scenario: { webhooks: { canceled_event } }, transport })
  const { id } = await create(sim, { webhookUrl: HOOK })
  await sim.tasks.cancel(id)
  await sim.settled()
  expect(posts.map(({ text }) => JSON.parse(text).event)).toEqual(events)
})

test('a receiver that was switched off and then removed gets the webhooks of tasks that name it', async () => {
  const answers = [410, 200]
  const { posts, transport } = recorder(() => answers.shift() ?? 500)
  const sim = simulate({ transport })
  const { id } = sim.webhooks.receivers.add({ url: HOOK })
  await create(sim)
  await sim.clock.advance('1h')
  sim.webhooks.receivers.remove(id)
  await create(sim, { webhookUrl: HOOK, input: { second: true } })
  await sim.clock.advance('1h')
  expect(posts).toHaveLength(2)
  expect(sim.webhooks.log.counts).toMatchObject({ given_up: 1, delivered: 1 })
})

test.each([
  [{ url: 'nope' }, '"nope"'],
  [HOOK, 'undefined'],
  [undefined, 'undefined'],
])('a receiver without a usable URL cannot be added: %j', (receiver, given) => {
  const { receivers } = simulate().webhooks
  expect(() => receivers.add(receiver as never)).toThrow(
    `Expected the URL of a receiver to be a URL that starts with`,
  )
  expect(() => receivers.add(receiver as never)).toThrow(`got ${given}`)
  expect(receivers.list()).toEqual([])
})

test('a reset forgets the ids of receivers', async () => {
  const sim = simulate()
  sim.webhooks.receivers.add({ url: HOOK })
  await sim.reset()
  expect(sim.webhooks.receivers.add({ url: 'http://receiver.test/other' }).id).toBe('rcv_1')
})

test('a reset abandons webhooks in transmission and pending webhooks', async () => {
  const { posts, transport } = recorder((post, count) => (count === 1 ? 500 : neverAnswers(post)))
  const sim = simulate({ transport, patience: 20 })
  const attempts: string[] = []
  sim.on('delivery.attempted', ({ state }) => attempts.push(state))
  await create(sim, { webhookUrl: HOOK })
  await create(sim, { webhookUrl: HOOK, input: { second: true } })
  await sim.clock.advance('1s')
  expect([posts.length, attempts]).toEqual([2, ['pending']])
  await sim.reset()
  await sim.clock.advance('1h')
  expect(posts.map(({ signal }) => signal.aborted)).toEqual([false, true])
  expect([posts.length, attempts]).toEqual([2, ['pending']])
})

test('a delivery in progress keeps its body when the scenario changes, and uses the new schedule', async () => {
  const { posts, transport } = recorder(() => 500)
  const sim = simulate({ transport })
  await create(sim, { webhookUrl: HOOK })
  await sim.clock.advance('1s')
  sim.useScenario({ ...sim.scenario, webhooks: { ...sim.scenario.webhooks, retries: [] } })
  await sim.clock.advance('1h')
  expect(posts).toHaveLength(2)
  expect(posts[1]?.text).toBe(posts[0]?.text)
})

test('only a removed receiver of the scenario or of the options is remembered, because it must stay hidden', () => {
  const receivers = new Receivers([{ url: 'http://localhost:1/' }])
  const added = receivers.add({ url: 'http://localhost:2/' })
  for (const { id } of receivers.list()) receivers.remove(id)
  expect(added.source).toBe('control')
  expect(receivers.list()).toEqual([])
  expect(receivers.saved.removed).toEqual(['http://localhost:1/'])
})
