import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { deepTest } from '../support/deep.js'
import { describeHosts, IMAGE, VIDEO } from './hosts.js'
import { deadUrl, startReceiver } from './receiver.js'

const sign = (body: Buffer, secret = 'whsec_local_signing_secret') =>
  createHmac('sha256', secret).update(body).digest('hex')

describeHosts('a webhook', (open) => {
  it('reports the end of a task, signed over the bytes that were sent', async () => {
    const { url, received } = await startReceiver()
    const { sim, get, post } = await open()
    const { body: task } = await post('/api/v1/tasks', { ...VIDEO, webhook_url: url })
    await sim.clock.advance('2m')
    expect(received).toHaveLength(1)
    const [{ headers, body, json }] = received as [(typeof received)[0]]
    const { output } = (await get(`/api/v1/tasks/${task.id}`)).body
    const [path] = output.video.split('?')
    expect(json).toEqual({
      event: 'task.succeeded',
      task: { id: task.id, status: 'succeeded', output: { video: expect.stringContaining(path) } },
    })
    expect(body.toString()).toBe(JSON.stringify(json))
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-service-signature': sign(body),
    })
  })

  it.each(['failed', 'canceled'] as const)('reports a task that has %s', async (outcome) => {
    const { url, received } = await startReceiver()
    const { sim, post } = await open({ scenario: { rules: [{ then: { outcome } }] }, receivers: [url] })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1m')
    expect(received.map(({ json }) => json.event)).toEqual([`task.${outcome}`])
    expect(received[0]?.json.task).not.toHaveProperty('output')
    expect(received[0]?.json.task.error?.code).toBe(outcome === 'failed' ? 'generation_failed' : undefined)
  })

  it('goes to every registered receiver, and only once to one that the task also names', async () => {
    const [one, two] = [await startReceiver(), await startReceiver()]
    const { sim, post } = await open({
      scenario: { webhooks: { receivers: [one.url] } },
      receivers: [two.url],
    })
    await post('/api/v1/tasks', { ...IMAGE, webhook_url: one.url })
    await sim.clock.advance('1m')
    expect([one.received.length, two.received.length]).toEqual([1, 1])
  })

  it('is retried after 1, 5 and 25 seconds, with the same bytes', async () => {
    const { url, received } = await startReceiver((number, response) =>
      response.writeHead(number < 4 ? 500 : 200).end(),
    )
    const { sim, post } = await open({ receivers: [url] })
    await post('/api/v1/tasks', IMAGE)
    const counts: number[] = []
    for (const time of ['2s', '1s', '4999ms', '1ms', '25s', '1h'] as const) {
      await sim.clock.advance(time)
      counts.push(received.length)
    }
    expect(counts).toEqual([1, 2, 2, 3, 4, 4])
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1)
  })

  it('follows no redirect, and is given up when its schedule ends', async () => {
    const elsewhere = await startReceiver()
    const { url, received } = await startReceiver((_, response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    )
    const { sim, post } = await open({ receivers: [url] })
    const states: string[] = []
    sim.on('delivery.attempted', ({ state }) => states.push(state))
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1d')
    expect([received.length, elsewhere.received.length]).toEqual([4, 0])
    expect(states).toEqual(['pending', 'pending', 'pending', 'given_up'])
  })

  it('is not sent again to a receiver that is gone', async () => {
    const { url, received } = await startReceiver((_, response) => response.writeHead(410).end())
    const { sim, post } = await open({ receivers: [url] })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1d')
    expect(received).toHaveLength(1)
  })

  deepTest('times out on the clock, and delays no other webhook', async () => {
    const silent = await startReceiver(() => {})
    const quick = await startReceiver()
    const { sim, post } = await open({ receivers: [silent.url, quick.url], patience: '400ms' })
    const attempts: [string, number, string | undefined][] = []
    sim.on('delivery.attempted', ({ url }, { startedAt, error }) => attempts.push([url, startedAt, error]))
    await post('/api/v1/tasks', IMAGE)
    const created = sim.clock.now()
    await sim.clock.advance('1m')
    await expect.poll(() => quick.received).toHaveLength(1)
    // An attempt times out after 15 s before the wait for the next one.
    expect(attempts.filter(([url]) => url === silent.url)).toEqual([
      [silent.url, created + 2_000, 'no answer within 15 s'],
      [silent.url, created + 18_000, 'no answer within 15 s'],
      [silent.url, created + 38_000, 'no answer within 15 s'],
    ])
  })

  it('is retried while its receiver is down', async () => {
    const { sim, post } = await open({ receivers: [await deadUrl()] })
    const errors: (string | undefined)[] = []
    sim.on('delivery.attempted', (_, { error }) => errors.push(error))
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('3s')
    expect(errors).toEqual([expect.stringContaining('ECONNREFUSED'), expect.stringContaining('ECONNREFUSED')])
  })

  it('has a signature in the format of the scenario', async () => {
    const { url, received } = await startReceiver()
    const signature = { header: 'X-Hub-Signature-256', encoding: 'base64', prefix: 'sha256=' } as const
    const { sim, post } = await open({
      scenario: { webhooks: { secret: 's3cret', signature, receivers: [url] } },
    })
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1m')
    const [{ headers, body }] = received as [(typeof received)[0]]
    expect(headers['x-hub-signature-256']).toBe(
      `sha256=${Buffer.from(sign(body, 's3cret'), 'hex').toString('base64')}`,
    )
    expect(headers['x-service-signature']).toBeUndefined()
  })

  it('never delays an answer', async () => {
    const { url, received } = await startReceiver(() => {})
    const { post, get } = await open({ scenario: 'instant', receivers: [url] })
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    expect((await get(`/api/v1/tasks/${task.id}`)).body.status).toBe('succeeded')
    await expect.poll(() => received.length).toBe(1)
  })
})
