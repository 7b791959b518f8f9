import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { deliveriesOf, orderWith } from './faulty-webhooks.js'
import { type Client, describeHosts, IMAGE } from './hosts.js'
import {
  isGenuine,
  parsed,
  type RawReceiver,
  type Respond,
  startRawReceiver,
  statuses,
} from './raw-receiver.js'

type ReceiverSettings = Exclude<
  NonNullable<NonNullable<ScenarioInput['webhooks']>['receivers']>[number],
  string
>

/** The pending webhooks at the first answer of 410, and the number that may still be sent. */
interface Case {
  readonly settings?: Partial<ReceiverSettings>
  readonly faults?: NonNullable<ScenarioInput['webhooks']>['faults']
  readonly tasks: number
  readonly sent: number
}

const tellingTo = (...receivers: ReceiverSettings[]): ScenarioInput => ({
  defaults: { delay: '1s' },
  webhooks: { receivers },
})

/** Creates tasks that each end a second after their creation. */
async function orderMany({ post }: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const { body } = await post('/api/v1/tasks', { ...IMAGE, input: { number } })
    ids.push(body.id)
  }
  return ids
}

const idsAt = ({ received }: RawReceiver): string[] => received.map((event) => parsed(event).task.id)

describeHosts('a receiver in the scenario', (open) => {
  it('has its own secrets', async () => {
    const [own, other] = [await startRawReceiver(), await startRawReceiver()]
    const { webhooks, ...rest } = tellingTo(
      { url: own.url, secret: 'its own', previous_secret: 'its old one' },
      { url: other.url },
    )
    const client = await open({
      scenario: {
        ...rest,
        webhooks: { ...webhooks, faults: [{ when: { nth: 1 }, then: 'previous_secret' }] },
      },
    })
    await orderMany(client, 2)
    await client.sim.clock.advance('1s')
    const [old, recent] = own.received as [RawReceiver['received'][0], RawReceiver['received'][0]]
    expect([isGenuine(old, 'its old one'), isGenuine(recent, 'its own')]).toEqual([true, true])
    expect(other.received.map((event) => isGenuine(event))).toEqual([true, true])
  })

  it('gets only the events that it selects, for any spelling of canceled', async () => {
    const [failures, cancels] = [await startRawReceiver(), await startRawReceiver()]
    const { webhooks, ...rest } = tellingTo(
      { url: failures.url, events: ['task.failed'] },
      { url: cancels.url, events: ['task.canceled'] },
    )
    const client = await open({
      scenario: { ...rest, webhooks: { ...webhooks, canceled_event: 'task.cancelled' } },
    })
    for (const outcome of ['failed', 'canceled', 'succeeded'])
      await orderWith(client, `outcome=${outcome}`, IMAGE)
    await client.sim.clock.advance('1s')
    expect(failures.received.map((event) => parsed(event).event)).toEqual(['task.failed'])
    expect(cancels.received.map((event) => parsed(event).event)).toEqual(['task.cancelled'])
    expect(deliveriesOf(client.sim)).toHaveLength(2)
  })

  it('has its own timeout and retry schedule', async () => {
    const silent = await startRawReceiver(() => {})
    const refusing = await startRawReceiver(statuses(500))
    const client = await open({
      scenario: tellingTo(
        { url: silent.url, timeout: '2s', retries: ['10s'] },
        { url: refusing.url, retries: [] },
      ),
      patience: '100ms',
    })
    await orderMany(client, 1)
    await client.sim.clock.advance('1h')
    const [hung, refused] = deliveriesOf(client.sim)
    const begin = hung?.createdAt ?? 0
    expect(hung?.attempts.map(({ startedAt, error }) => [startedAt - begin, error])).toEqual([
      [0, 'no answer within 2 s'],
      [12_000, 'no answer within 2 s'],
    ])
    expect([hung?.state, refused?.state, refused?.attempts.length]).toEqual(['given_up', 'given_up', 1])
  })
})

describeHosts('a receiver that requires events in order', (open) => {
  it('gets the next event after it accepts the previous one, and does not delay others', async () => {
    const inOrder = await startRawReceiver(statuses(500, 500, 204))
    const other = await startRawReceiver()
    const client = await open({
      scenario: tellingTo({ url: inOrder.url, ordered: true }, { url: other.url }),
    })
    const [one = '', two = '', three = ''] = await orderMany(client, 3)
    await client.sim.clock.advance('6999ms')
    expect([idsAt(inOrder), idsAt(other)]).toEqual([
      [one, one],
      [one, two, three],
    ])
    await client.sim.clock.advance('1ms')
    expect(idsAt(inOrder)).toEqual([one, one, one, two, three])
    expect(inOrder.maxConcurrent).toBe(1)
  })

  it('gets the next event after the previous one was given up, even without an answer', async () => {
    const inOrder = await startRawReceiver((number, response) => {
      if (number > 2) response.writeHead(204).end()
    })
    const settings = { url: inOrder.url, ordered: true, timeout: '5s', retries: ['1s'] } as const
    const client = await open({ scenario: tellingTo(settings), patience: '100ms' })
    const [one = '', two = ''] = await orderMany(client, 2)
    await client.sim.clock.advance('11999ms')
    await expect.poll(() => idsAt(inOrder)).toEqual([one, one])
    await client.sim.clock.advance('1ms')
    await expect.poll(() => idsAt(inOrder)).toEqual([one, one, two])
    await client.sim.settled()
    expect(deliveriesOf(client.sim).map(({ state }) => state)).toEqual(['given_up', 'delivered'])
  })
})

/** Answers all requests with 410 once so many have arrived: an earlier answer could overtake a request on its way. */
function goneFrom(count: number): Respond {
  const open: ServerResponse[] = []
  return (number, response) => {
    open.push(response)
    if (number >= count) for (const each of open.splice(0)) each.writeHead(410).end()
  }
}

describeHosts('a receiver that answers 410', (open) => {
  it('gets nothing more until a reset: neither retries nor new events', async () => {
    const receiver = await startRawReceiver(statuses(500, 410, 204))
    const client = await open({ scenario: tellingTo({ url: receiver.url }) })
    const { sim } = client
    const off: unknown[] = []
    sim.on('receiver.switched_off', ({ url, source, off: why }) => off.push([url, source, why]))
    await orderMany(client, 2)
    await sim.clock.advance('1s')
    expect(off).toEqual([[receiver.url, 'scenario', expect.stringContaining('410')]])
    expect(deliveriesOf(sim).map(({ state }) => state)).toEqual(['pending', 'given_up'])
    await orderMany(client, 1)
    await client.post('/api/v1/tasks', { ...IMAGE, webhook_url: receiver.url })
    await sim.clock.advance('1h')
    expect(receiver.received).toHaveLength(2)
    expect(deliveriesOf(sim).map(({ state }) => state)).toEqual(['given_up', 'given_up'])
    expect(sim.webhooks.receivers.list()).toMatchObject([{ url: receiver.url, off: expect.any(String) }])
    await sim.reset()
    await orderMany(client, 1)
    await sim.clock.advance('1s')
    expect(receiver.received).toHaveLength(3)
    expect(off).toHaveLength(1)
  })

  it.each<[string, Case]>([
    ['stands in line behind it', { settings: { ordered: true }, tasks: 2, sent: 1 }],
    ['waits for a free connection', { tasks: 40, sent: 32 }],
    ['is late', { faults: [{ when: { nth: 2 }, then: { delay: '10s' } }], tasks: 2, sent: 1 }],
    ['waits for a poll', { faults: [{ when: { nth: 2 }, then: 'after_poll' }], tasks: 2, sent: 1 }],
    ['would be its duplicate', { faults: [{ then: 'duplicate' }], tasks: 1, sent: 1 }],
  ])('is not sent what %s', async (_, { settings, faults = [], tasks, sent }) => {
    const receiver = await startRawReceiver(goneFrom(sent))
    const scenario = tellingTo({ url: receiver.url, ...settings })
    const client = await open({
      scenario: { ...scenario, webhooks: { ...scenario.webhooks, faults } },
      patience: '30s',
    })
    await orderMany(client, tasks)
    await client.sim.clock.advance('1h')
    expect(receiver.received).toHaveLength(sent)
    expect(client.sim.webhooks.log.counts).toMatchObject({ pending: 0, delivered: 0 })
  })

  it('is not disabled if a single task named it', async () => {
    const receiver = await startRawReceiver(statuses(410, 204))
    const { sim, post } = await open()
    const off: string[] = []
    sim.on('receiver.switched_off', ({ url }) => off.push(url))
    await post('/api/v1/tasks', { ...IMAGE, webhook_url: receiver.url })
    await sim.clock.advance('1m')
    await post('/api/v1/tasks', { ...IMAGE, webhook_url: receiver.url })
    await sim.clock.advance('1m')
    expect([receiver.received.length, off]).toEqual([2, []])
  })
})

describeHosts('receivers while tasks run', (open) => {
  it('can be added and removed, and a reset restores the initial ones', async () => {
    const [named, added] = [await startRawReceiver(), await startRawReceiver()]
    const client = await open({ scenario: tellingTo({ url: named.url }) })
    const { sim } = client
    const { receivers } = sim.webhooks
    const counts = async () => {
      await orderMany(client, 1)
      await sim.clock.advance('1s')
      return [named.received.length, added.received.length]
    }
    const { id, source } = receivers.add({ url: added.url, secret: 'its own' })
    expect(source).toBe('control')
    expect(await counts()).toEqual([1, 1])
    expect(added.received.map((event) => isGenuine(event, 'its own'))).toEqual([true])
    expect(() => receivers.add({ url: added.url })).toThrow(id)
    expect(receivers.remove(receivers.list()[0]?.id ?? '')?.url).toBe(named.url)
    expect(await counts()).toEqual([1, 2])
    expect(receivers.remove(id)?.url).toBe(added.url)
    expect(receivers.remove(id)).toBeUndefined()
    expect(await counts()).toEqual([1, 2])
    receivers.add({ url: added.url })
    await sim.reset()
    expect(await counts()).toEqual([2, 2])
  })
})
