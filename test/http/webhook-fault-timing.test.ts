import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  always,
  deliveriesOf,
  type Fault,
  orderWith,
  type Then,
  withWebhookFaults,
} from './faulty-webhooks.js'
import { describeHosts, IMAGE, VIDEO } from './hosts.js'
import { isGenuine, parsed, startRawReceiver, statuses } from './raw-receiver.js'

const silent = () => {}

describeHosts('a late webhook', (open) => {
  it('arrives after its delay, and is listed as pending until then', async () => {
    const { url, received } = await startRawReceiver()
    const { sim, post } = await open({ scenario: always({ delay: '30s' }), receivers: [url] })
    await post('/api/v1/tasks', IMAGE)
    const dueAt = sim.clock.now() + 31_000
    await sim.clock.advance('30999ms')
    expect(received).toHaveLength(0)
    expect(deliveriesOf(sim)).toMatchObject([{ state: 'pending', nextAt: dueAt, attempts: [] }])
    await sim.clock.advance('1ms')
    expect(received.map((event) => isGenuine(event))).toEqual([true])
    expect(deliveriesOf(sim)).toMatchObject([{ state: 'delivered', attempts: [{ startedAt: dueAt }] }])
  })

  it('arrives after a random delay, which is the same with the same seed', async () => {
    const delays = async () => {
      const { url, received } = await startRawReceiver()
      const { sim, post } = await open({
        scenario: always({ delay: { min: '5s', max: '30s' } }),
        // The draws of a task depend on the URL of the receiver, so the test uses a fixed URL.
        receivers: [
          {
            url: 'http://receiver.test/',
            handle: (request) => fetch(url, new Request(url, request)),
            everyTask: true,
          },
        ],
      })
      for (const prompt of ['one', 'two', 'three'])
        await post('/api/v1/tasks', { ...IMAGE, input: { prompt } })
      await sim.clock.advance('1m')
      expect(received).toHaveLength(3)
      return deliveriesOf(sim).map(({ attempts, createdAt }) => (attempts[0]?.startedAt ?? 0) - createdAt)
    }
    const drawn = await delays()
    expect(await delays()).toEqual(drawn)
    expect(new Set(drawn).size).toBe(3)
    expect(drawn.every((delay) => delay >= 5_000 && delay <= 30_000)).toBe(true)
  })
})

describeHosts('a webhook that overtakes the create response', (open) => {
  it.each<[Then]>([['before_response'], [{ timing: 'before_response' }]])(
    'arrives before it, and the response still says processing: %j',
    async (then) => {
      let isAnswered = false
      const wasAnswered: boolean[] = []
      const { url, received } = await startRawReceiver(async (_, response) => {
        await setTimeout(20)
        wasAnswered.push(isAnswered)
        response.writeHead(204).end()
      })
      const { post, get } = await open({ scenario: always(then), receivers: [url] })
      const { body: task } = await post('/api/v1/tasks', IMAGE)
      isAnswered = true
      expect(wasAnswered).toEqual([false])
      expect(task.status).toBe('processing')
      expect(received.map((event) => [parsed(event).task.id, isGenuine(event)])).toEqual([[task.id, true]])
      const { body: seen } = await get(`/api/v1/tasks/${task.id}`)
      expect([seen.status, seen.completed_at]).toEqual(['succeeded', seen.created_at])
    },
  )

  it('delays the response no longer than the patience, and for one attempt only', async () => {
    const hanging = await startRawReceiver(silent)
    const refusing = await startRawReceiver(statuses(500, 204))
    const { sim, post } = await open({
      scenario: always('before_response'),
      receivers: [hanging.url, refusing.url],
      patience: '50ms',
    })
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    expect(task.status).toBe('processing')
    const attempts = () => deliveriesOf(sim).map(({ attempts }) => attempts.map(({ status }) => status))
    await expect.poll(attempts).toEqual([[], [500]])
    await sim.clock.advance('1s')
    await expect.poll(attempts).toEqual([[], [500, 204]])
    expect([hanging.received.length, refusing.received.length]).toEqual([1, 2])
  })

  it('overtakes only at the receiver of the rule', async () => {
    const [early, other] = [await startRawReceiver(), await startRawReceiver()]
    const { sim, post } = await open({
      scenario: withWebhookFaults(
        { when: { receiver: early.url }, then: 'before_response' },
        { when: { receiver: other.url }, then: 'lost' },
      ),
      receivers: [early.url, other.url],
    })
    await post('/api/v1/tasks', IMAGE)
    expect(early.received).toHaveLength(1)
    expect(deliveriesOf(sim).map(({ url, state }) => [url, state])).toEqual([
      [early.url, 'delivered'],
      [other.url, 'lost'],
    ])
  })
})

describeHosts('a webhook that waits for a poll', (open) => {
  it.each<[Then]>([['after_poll'], [{ timing: 'after_poll' }]])(
    'arrives after a poll has returned the final state, and not before: %j',
    async (then) => {
      const { url, received } = await startRawReceiver()
      const { sim, send, post, get } = await open({ scenario: always(then), receivers: [url] })
      const { body: task } = await post('/api/v1/tasks', IMAGE)
      await get(`/api/v1/tasks/${task.id}`)
      await sim.clock.advance('10s')
      // Another key gets no state of the task.
      await send(`/api/v1/tasks/${task.id}`, { headers: { authorization: 'Bearer sk_other' } })
      await sim.clock.advance('10s')
      expect(received).toHaveLength(0)
      expect((await get(`/api/v1/tasks/${task.id}`)).body.status).toBe('succeeded')
      await sim.clock.advance('0s')
      expect(received.map((event) => isGenuine(event))).toEqual([true])
    },
  )

  it('arrives after a minute without polls, also for a canceled task', async () => {
    const { url, received } = await startRawReceiver()
    const client = await open({ scenario: always({ timing: 'after_poll' }), receivers: [url] })
    await client.post('/api/v1/tasks', IMAGE)
    await orderWith(client, 'outcome=canceled after=1s', IMAGE)
    await client.sim.clock.advance('60999ms')
    expect(received).toHaveLength(0)
    await client.sim.clock.advance('1ms')
    expect(received.map((event) => parsed(event).event)).toEqual(['task.succeeded', 'task.canceled'])
  })

  it.each<[Fault]>([['lost'], ['empty'], ['invalid_json'], ['stale'], [{ patch: { status: 'processing' } }]])(
    'still waits after a poll that did not return the final state: %j',
    async (then) => {
      const { url, received } = await startRawReceiver()
      const scenario = {
        ...always('after_poll'),
        faults: [{ when: { operation: 'tasks.retrieve' as const, nth: 2 }, then }],
      }
      const { sim, send, post, get } = await open({ scenario, receivers: [url] })
      const { body: task } = await post('/api/v1/tasks', IMAGE)
      await get(`/api/v1/tasks/${task.id}`)
      await sim.clock.advance('1s')
      const headers = { authorization: 'Bearer sk_live_local' }
      await send(`/api/v1/tasks/${task.id}`, { headers })
        .then((response) => response.text())
        .catch(() => {})
      await sim.clock.advance('10s')
      expect(received).toHaveLength(0)
    },
  )
})

describeHosts('a webhook out of order', (open) => {
  it.each<[Then]>([['out_of_order'], [{ timing: 'out_of_order' }]])(
    'arrives after the webhook of the task that ends next: %j',
    async (then) => {
      const { url, received } = await startRawReceiver()
      const { sim, post } = await open({
        scenario: withWebhookFaults({ when: { nth: 1 }, then }),
        receivers: [url],
      })
      const { body: first } = await post('/api/v1/tasks', IMAGE)
      await sim.clock.advance('5s')
      const { body: second } = await post('/api/v1/tasks', VIDEO)
      expect(received).toHaveLength(0)
      await sim.clock.advance('5s')
      expect(received.map((event) => parsed(event).task.id)).toEqual([second.id, first.id])
    },
  )

  it.each([
    ['that is under way', statuses(204)],
    ['that is sent again', statuses(500, 204)],
  ])('waits for the next event, and not for an earlier one %s', async (_, respond) => {
    const { url, received } = await startRawReceiver(respond)
    const client = await open({
      scenario: withWebhookFaults({ when: { nth: 2 }, then: 'out_of_order' }),
      receivers: [url],
    })
    const ids: string[] = []
    for (const after of ['1s', '1s', '10s'])
      ids.push((await orderWith(client, `after=${after}`, IMAGE)).body.id)
    const [earlier, late, next] = ids
    await client.sim.clock.advance('10s')
    const taskIds = received.map((event) => parsed(event).task.id)
    expect(taskIds.filter((id, index) => taskIds.indexOf(id) === index)).toEqual([earlier, next, late])
  })

  it('waits for an event of the same receiver, and for no more than a minute', async () => {
    const [one, other] = [await startRawReceiver(), await startRawReceiver()]
    const { sim, post } = await open({
      scenario: withWebhookFaults({ when: { nth: 1 }, then: 'out_of_order' }),
    })
    await post('/api/v1/tasks', { ...IMAGE, webhook_url: one.url })
    await post('/api/v1/tasks', { ...VIDEO, webhook_url: other.url })
    await sim.clock.advance('60999ms')
    expect([one.received.length, other.received.length]).toEqual([0, 1])
    await sim.clock.advance('1ms')
    expect(one.received).toHaveLength(1)
  })
})
