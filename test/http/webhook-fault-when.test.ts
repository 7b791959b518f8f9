import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { runs } from '../support/deep.js'
import { deliveriesOf, orderWith, withWebhookFaults } from './faulty-webhooks.js'
import { type Client, describeHosts, IMAGE, VIDEO } from './hosts.js'
import { isGenuine, parsed, startRawReceiver } from './raw-receiver.js'

/** Receives webhooks in this process, for tests that do not check the received events. */
const receivers = [{ url: 'http://one.test/a', handle: () => new Response(), everyTask: true }]

const states = ({ sim }: Client) => deliveriesOf(sim).map(({ state }) => state)

/** Creates tasks with different inputs one after the other, and lets all of them end. */
async function orderMany({ sim, post }: Client, count: number, more: object = {}): Promise<void> {
  for (let number = 1; number <= count; number++)
    await post('/api/v1/tasks', { ...IMAGE, input: { number }, ...more })
  await sim.clock.advance('1s')
}

describeHosts('a webhook fault is applied', (open) => {
  it('at one receiver and not at another', async () => {
    const scenario = withWebhookFaults({ when: { receiver: 'http://one.test/*' }, then: 'lost' })
    const other = { url: 'http://two.test/a', handle: () => new Response(), everyTask: true }
    const client = await open({ scenario, receivers: [...receivers, other] })
    await orderMany(client, 1)
    expect(deliveriesOf(client.sim).map(({ url, state }) => [url, state])).toEqual([
      ['http://one.test/a', 'lost'],
      ['http://two.test/a', 'delivered'],
    ])
  })

  it('to one event, one model or one kind of input', async () => {
    const scenario: ScenarioInput = {
      ...withWebhookFaults(
        { when: { event: 'task.failed' }, then: 'lost' },
        { when: { model: 'acme/video-*' }, then: 'lost' },
        { when: { input: { prompt: { matches: '^secret' } } }, then: 'lost' },
      ),
      rules: [{ when: { input: { prompt: 'fail' } }, then: { outcome: 'failed' } }],
    }
    const client = await open({ scenario, receivers })
    for (const prompt of ['fail', 'fine', 'secret']) {
      await client.post('/api/v1/tasks', { ...IMAGE, input: { prompt } })
    }
    await client.post('/api/v1/tasks', VIDEO)
    await client.sim.clock.advance('1s')
    expect(states(client)).toEqual(['lost', 'delivered', 'lost', 'lost'])
  })

  it.each([
    ['task.canceled', 'task.canceled'],
    ['task.cancelled', 'task.cancelled'],
    // Both spellings are equal, as in the event filter of a receiver.
    ['task.canceled', 'task.cancelled'],
  ] as const)(
    'to a cancel event that the rule calls %s and the scenario %s',
    async (event, canceled_event) => {
      const { webhooks, ...rest } = withWebhookFaults({ when: { event }, then: 'lost' })
      const client = await open({
        scenario: { ...rest, webhooks: { ...webhooks, canceled_event } },
        receivers,
      })
      const { body: task } = await client.post('/api/v1/tasks', IMAGE)
      await client.post(`/api/v1/tasks/${task.id}/cancel`)
      await client.sim.settled()
      expect(deliveriesOf(client.sim).map(({ event, state }) => [event, state])).toEqual([
        [canceled_event, 'lost'],
      ])
    },
  )

  it('at the configured rate, and in the same way with the same seed', async () => {
    const count = runs(60, 200)
    const drawn = async () => {
      const client = await open({
        scenario: withWebhookFaults({ when: { rate: 0.3 }, then: 'lost' }),
        receivers,
      })
      await orderMany(client, count)
      return states(client)
    }
    const first = await drawn()
    const lost = first.filter((state) => state === 'lost').length
    expect(lost).toBeGreaterThan(count / 5)
    expect(lost).toBeLessThan(count / 2.5)
    expect(await drawn()).toEqual(first)
  })

  it.each([
    [2, 'dldddd'],
    [{ every: 3 }, 'ddlddl'],
    [{ min: 2, max: 3 }, 'dllddd'],
  ])('to the n-th delivery: %j', async (nth, expected) => {
    const client = await open({ scenario: withWebhookFaults({ when: { nth }, then: 'lost' }), receivers })
    await orderMany(client, 6)
    expect(
      states(client)
        .map((state) => state[0])
        .join(''),
    ).toBe(expected)
  })

  it('within a window of the clock', async () => {
    const scenario = withWebhookFaults({ when: { window: { from: '1m', to: '2m' } }, then: 'lost' })
    const client = await open({ scenario, receivers })
    for (const after of ['59999ms', '60s', '119999ms', '120s'])
      await orderWith(client, `after=${after}`, IMAGE)
    await client.sim.clock.advance('2m')
    expect(states(client)).toEqual(['delivered', 'lost', 'lost', 'delivered'])
  })

  it('by the first matching rule, while the others keep counting', async () => {
    const { url, received } = await startRawReceiver()
    const scenario = withWebhookFaults(
      { name: 'overtaking', when: { nth: 1 }, then: 'before_response' },
      { name: 'hidden', when: { nth: 2 }, then: 'lost' },
    )
    const client = await open({ scenario, receivers: [url] })
    await orderMany(client, 3)
    expect(received).toHaveLength(2)
    expect(deliveriesOf(client.sim).map(({ rule }) => rule)).toEqual(['overtaking', 'hidden', undefined])
  })
})

describeHosts('a request may request a fault for its webhook', (open) => {
  const scenario = withWebhookFaults({ then: 'lost' })

  it('in a header, which overrides the rules', async () => {
    const { url, received } = await startRawReceiver()
    const client = await open({ scenario, receivers: [url] })
    await orderWith(client, 'webhook=duplicate,spaced', IMAGE)
    await client.post('/api/v1/tasks', VIDEO)
    await client.sim.clock.advance('1s')
    expect(received.map((event) => [event.text.includes('\n'), isGenuine(event)])).toEqual([
      [true, true],
      [true, true],
    ])
    expect(deliveriesOf(client.sim).map(({ rule, state }) => [rule, state])).toEqual([
      ['directive', 'delivered'],
      ['webhooks.faults[0]', 'lost'],
      ['directive', 'delivered'],
    ])
  })

  it('in its prompt', async () => {
    const { url, received } = await startRawReceiver()
    const { sim, post } = await open({ receivers: [url] })
    const prompt = 'a lighthouse [[sim webhook=duplicate]]'
    await post('/api/v1/tasks', { ...IMAGE, input: { prompt } })
    await sim.clock.advance('1m')
    expect(received).toHaveLength(2)
  })

  it('with a delay', async () => {
    const { url, received } = await startRawReceiver()
    const client = await open({ receivers: [url] })
    await orderWith(client, 'after=1s webhook=no_signature webhook_delay=30s', IMAGE)
    await client.sim.clock.advance('30999ms')
    expect(received).toHaveLength(0)
    await client.sim.clock.advance('1ms')
    expect(received.map(({ signature }) => signature)).toEqual([undefined])
  })

  it('that sends it before the answer', async () => {
    const { url, received } = await startRawReceiver()
    const client = await open({ receivers: [url] })
    const { body: task } = await orderWith(client, 'outcome=failed webhook=before_response', IMAGE)
    expect(task.status).toBe('processing')
    expect(received.map((event) => parsed(event).event)).toEqual(['task.failed'])
  })

  it.each([
    ['webhook=vanished', 'webhook'],
    ['webhook=lost,duplicate', 'webhook'],
    ['webhook=truncated,changed', 'webhook'],
    ['webhook=lost webhook_delay=1s', 'lost'],
    ['webhook=after_poll webhook_delay=1s', 'delay'],
    ['webhook_delay=soon', 'webhook_delay'],
  ])('unless the fault is impossible: %s', async (directive, named) => {
    const client = await open()
    const { status, body } = await orderWith(client, directive, IMAGE)
    expect([status, body.error?.code, body.error?.param]).toEqual([400, 'invalid_request', 'X-Sim'])
    expect(body.error.message).toContain(`\`${named}\``)
    expect((await client.get('/api/v1/tasks')).body.data).toEqual([])
  })
})
