import { expect, it } from 'vitest'
import { defineScenario } from '../../src/index.js'
import { startReceiver, type TestReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }
const PICTURES = { version: 'acme/image-1', input: { prompt: 'waves', n: 4 } }
const ALL = { webhook_events_filter: ['start', 'output', 'logs', 'completed'] }
const SLOW = defineScenario({ defaults: { delay: '4s' } })

const statesIn = ({ received }: TestReceiver) =>
  received.map(({ json }) => [json.status, json.output?.length ?? 0] as const)

describeDialect('replicate', 'https://api.replicate.com', KEY, (open) => {
  it('announces the start, each part of the output and the end, with the task as it is then', async () => {
    const { sim, post } = await open({ scenario: SLOW })
    const receiver = await startReceiver()
    const filter = { webhook_events_filter: ['start', 'output', 'completed'] }
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url, ...filter })
    expect(receiver.received).toEqual([])
    await sim.clock.advance('1m')
    expect(statesIn(receiver)).toEqual([
      ['processing', 0],
      ['processing', 1],
      ['processing', 2],
      ['processing', 3],
      ['succeeded', 4],
    ])
    expect(sim.webhooks.log.list({ limit: 9 })?.deliveries.map(({ event }) => event)).toEqual([
      'completed',
      'output',
      'output',
      'output',
      'start',
    ])
  })

  it('asks the filter of a task, too, if a function handles its URL', async () => {
    const got: string[] = []
    const handle = (name: string) => async (request: Request) => {
      got.push(`${name} ${(await request.json()).status}`)
      return new Response()
    }
    const [url, other] = ['http://app.test/hook', 'http://app.test/other']
    const receivers = [
      { url, handle: handle('own'), everyTask: true },
      { url: other, handle: handle('other'), everyTask: true },
    ]
    const { sim, post } = await open({ scenario: SLOW, receivers })
    const filter = { webhook_events_filter: ['completed'] }
    await post('/v1/predictions', { ...PICTURES, webhook: url, ...filter })
    await sim.clock.advance('1m')
    expect(got.filter((each) => each.startsWith('own'))).toEqual(['own succeeded'])
    expect(got).toContain('other processing')
  })

  it('announces new log lines at most every 500 ms', async () => {
    const { sim, post } = await open({ scenario: defineScenario({ defaults: { delay: '1s' } }) })
    const receiver = await startReceiver()
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url, webhook_events_filter: ['logs'] })
    await sim.clock.advance('1m')
    const logs = receiver.received.map(({ json }) => String(json.logs).split('\n').length)
    expect(logs.length).toBeGreaterThanOrEqual(2)
    expect(logs.length).toBeLessThanOrEqual(3)
    expect([...logs].sort((one, other) => one - other)).toEqual(logs)
  })

  it('sends the outputs and the end if the request does not choose, and rejects unknown events', async () => {
    const { sim, post } = await open({ scenario: SLOW })
    const receiver = await startReceiver()
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url })
    await sim.clock.advance('1m')
    expect(statesIn(receiver).map(([status]) => status)).toEqual([
      'processing',
      'processing',
      'processing',
      'succeeded',
    ])
    const unknown = { webhook: receiver.url, webhook_events_filter: ['finished'] }
    expect((await post('/v1/predictions', { ...PICTURES, ...unknown })).body.detail).toContain(
      'The field `webhook_events_filter` must be a list of the words start, output, logs, completed; got ["finished"]',
    )
  })

  it('retries only the event of the end', async () => {
    const { sim, post } = await open({ scenario: SLOW })
    const receiver = await startReceiver((number, response) =>
      response.writeHead(number < 4 ? 500 : 204).end(),
    )
    const filter = { webhook_events_filter: ['start', 'completed'] }
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url, ...filter })
    await sim.clock.advance('5m')
    expect(statesIn(receiver).map(([status]) => status)).toEqual([
      'processing',
      'succeeded',
      'succeeded',
      'succeeded',
    ])
  })

  it('sends registered receivers every event that they want, whatever the request asks for', async () => {
    const [all, started] = [await startReceiver(), await startReceiver()]
    const receivers = [all.url, { url: started.url, events: ['task.started' as const] }]
    const { sim, post } = await open({
      scenario: defineScenario({ defaults: { delay: '2s' }, webhooks: { receivers } }),
    })
    await post('/v1/predictions', { ...PICTURES, webhook_events_filter: ['completed'] })
    await sim.clock.advance('1m')
    expect(new Set(statesIn(all).map(([status]) => status))).toEqual(new Set(['processing', 'succeeded']))
    expect(statesIn(started)).toEqual([['processing', 0]])
  })

  it('applies webhook faults to the event that they name', async () => {
    const faults = [{ when: { event: 'task.started' as const }, then: 'lost' as const }]
    const { sim, post } = await open({ scenario: defineScenario({ webhooks: { faults } }) })
    const receiver = await startReceiver()
    const filter = { webhook_events_filter: ['start', 'completed'] }
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url, ...filter })
    await sim.clock.advance('1m')
    expect(statesIn(receiver)).toEqual([['succeeded', 4]])
    expect(sim.webhooks.log.counts).toMatchObject({ lost: 1, delivered: 1 })
  })

  it('keeps the order if the end is announced before the response', async () => {
    const { sim, post } = await open({
      scenario: defineScenario({ webhooks: { faults: [{ then: 'before_response' }] } }),
    })
    const receiver = await startReceiver()
    const filter = { webhook_events_filter: ['start', 'completed'] }
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url, ...filter })
    await sim.settled()
    expect(statesIn(receiver)).toEqual([
      ['processing', 0],
      ['succeeded', 4],
    ])
  })

  it('keeps the order if a task ends at once, and forgets everything at a reset', async () => {
    const { sim, post } = await open({ scenario: 'instant' })
    const receiver = await startReceiver()
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url, ...ALL })
    await sim.clock.advance('1s')
    expect(statesIn(receiver).map(([status]) => status)).toEqual(['processing', 'succeeded'])
    await post('/v1/predictions', { ...PICTURES, webhook: receiver.url, ...ALL })
    await sim.reset()
    await sim.clock.advance('1m')
    expect(receiver.received).toHaveLength(2)
  })
})
