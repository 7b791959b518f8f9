import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { describeHosts, IMAGE, VIDEO } from './hosts.js'

describeHosts('the clock', (open) => {
  it('is read and moved over HTTP, and every due event happens during the move', async () => {
    const { get, post } = await open()
    const { id } = (await post('/api/v1/tasks', VIDEO)).body
    const start = {
      now: '2026-01-01T00:00:00.000Z',
      mode: 'manual',
      speed: 0,
      next: '2026-01-01T00:00:06.000Z',
    }
    expect((await get('/_sim/clock')).body).toEqual(start)
    const advanced = await post('/_sim/clock', { advance: '5s' })
    expect(advanced).toMatchObject({ status: 200, body: { now: '2026-01-01T00:00:05.000Z' } })
    expect((await get(`/api/v1/tasks/${id}`)).body.status).toBe('processing')
    expect((await post('/_sim/clock', { run_until_idle: true })).body.next).toBeNull()
    expect((await get(`/api/v1/tasks/${id}`)).body.completed_at).toBe('2026-01-01T00:00:06.000Z')
    await post('/_sim/clock', { to: '2026-02-01T00:00:00Z' })
    expect((await get(`/api/v1/tasks/${id}`)).body).not.toHaveProperty('output')
  })

  it('ends with the year 9999, and every instant after it is written as its last', async () => {
    const { sim, get, post } = await open({ scenario: { webhooks: { receivers: ['http://a.test/'] } } })
    await sim.clock.advanceTo('9999-12-31T23:59:50Z')
    const { id } = (await post('/api/v1/tasks', { ...IMAGE, webhook_url: 'http://b.test/' })).body
    await post('/_sim/clock', { advance: '9s' })
    expect((await get(`/api/v1/tasks/${id}`)).body.status).toBe('succeeded')
    await post('/api/v1/tasks', VIDEO)
    const late = await post('/_sim/clock', { advance: '1d' })
    expect([late.status, late.body.error.message]).toEqual([400, expect.stringContaining('year 9999')])
    expect((await post('/_sim/clock', { run_until_idle: true })).status).toBe(400)
    await post('/_sim/clock', { to: '9999-12-31T23:59:59.999Z' })
    expect((await post('/_sim/clock', { mode: 'real', speed: 1000 })).status).toBe(400)
    for (const path of ['clock', 'clock/upcoming', 'state', 'tasks', 'journal', 'deliveries', 'findings']) {
      const { status, body } = await get(`/_sim/${path}`)
      expect([path, status]).toEqual([path, 200])
      expect(JSON.stringify(body)).not.toMatch(/[+-]\d{6}-|\b1\d{4}-/)
    }
  })

  it('can run and freeze while tasks are in flight', async () => {
    const { get, post } = await open()
    const { id } = (await post('/api/v1/tasks', VIDEO)).body
    expect((await post('/_sim/clock', { mode: 'real', speed: 1000 })).body).toMatchObject({
      mode: 'real',
      speed: 1000,
    })
    await expect.poll(async () => (await get(`/api/v1/tasks/${id}`)).body.status).toBe('succeeded')
    expect((await post('/_sim/clock', { mode: 'manual' })).body.mode).toBe('manual')
    const [first, second] = [await get('/_sim/clock'), await get('/_sim/clock')]
    expect(first.body).toEqual(second.body)
    expect((await get(`/api/v1/tasks/${id}`)).body.completed_at).toBe('2026-01-01T00:00:06.000Z')
  })

  it.each([
    [{}, undefined, 'Nothing to do'],
    [{ advance: 'soon' }, 'advance', 'a duration such as 250ms, 3s, 5m, 1h30m or 30d; got "soon"'],
    [{ advance: -1 }, 'advance', 'got -1'],
    [{ advance: null }, 'advance', 'a duration'],
    [{ advance: '1s', to: '2027-01-01T00:00:00Z' }, 'to', 'The fields `advance` and `to` exclude each other'],
    [{ to: '2025-01-01T00:00:00Z' }, 'to', 'an instant from 2026-01-01T00:00:00.000Z on'],
    [{ to: 'tomorrow' }, 'to', 'got "tomorrow"'],
    [{ to: '+275760-09-12T23:59:59Z' }, 'to', '9999'],
    [{ to: 7 }, 'to', 'instant'],
    [{ to: '10000-01-01T00:00:00Z' }, 'to', 'in the years 1 to 9999'],
    [{ mode: 'fast' }, 'mode', '`real` or `manual`'],
    [{ speed: 0 }, 'speed', 'above 0'],
    [{ speed: true }, 'speed', 'got true'],
    [{ mode: 'real', speed: 'x' }, 'speed', 'above 0'],
    [{ forward: '1s' }, 'forward', 'expected one of advance, mode'],
  ])('rejects %j and says which values are allowed', async (body, param, message) => {
    const { get, post } = await open()
    const before = await get('/_sim/clock')
    const answer = await post('/_sim/clock', body)
    expect((await get('/_sim/clock')).body).toEqual(before.body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.param).toBe(param)
    expect(answer.body.error.message).toContain(message)
  })

  it('lists the tasks that never end when it runs until idle', async () => {
    const { post } = await open({ scenario: { defaults: { delay: '400d' } } })
    await post('/api/v1/tasks', IMAGE)
    const { status, body } = await post('/_sim/clock', { run_until_idle: true })
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('a job is scheduled for 2027-02-05'),
    ])
  })

  it('restarts with a reset, and so do ids, draws and request ids', async () => {
    const { get, post, sim } = await open({ scenario: 'realistic' })
    const lap = async () => {
      const bodies = []
      for (const input of [{ prompt: 'a' }, { prompt: 'a' }, { prompt: 'b' }]) {
        bodies.push(await post('/api/v1/tasks', { model: 'acme/video-1', input }))
      }
      await sim.clock.advance('10m')
      bodies.push(await get('/api/v1/tasks'), await get('/api/v1/tasks/none'))
      return bodies.map(({ body }) => body)
    }
    const first = await lap()
    expect((await post('/_sim/reset')).body).toEqual({
      seed: '1',
      scenario: 'realistic',
      now: '2026-01-01T00:00:00.000Z',
    })
    expect((await get('/api/v1/tasks')).body.data).toEqual([])
    await sim.reset()
    expect(await lap()).toEqual(first)
  })
})

it('a delayed answer, a held one and a stream end at the end of the year 9999', async () => {
  const start = '9999-12-31T23:59:50Z'
  const faults = [{ when: { operation: 'tasks.retrieve' }, then: { delay: '60s' } }] as const
  const scenario = { defaults: { delay: '30s' }, faults } as const
  const sim = createSimulator({ clock: 'manual', start, patience: '1ms', scenario })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(close)
  const send = async (path: string, body?: object) => {
    const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    return (await fetch(new URL(path, baseUrl), { headers, ...init })).text()
  }
  const { id } = JSON.parse(await send('/api/v1/tasks', IMAGE))
  expect(await send(`/api/v1/tasks/${id}`)).toContain('"status":"processing"')
  const order = { model: 'gpt-5', input: 'hello' }
  expect(await send('/openai/v1/responses', order)).toContain('"status":"in_progress"')
  expect(await send('/openai/v1/responses', { ...order, stream: true })).toContain('response.created')
  await expect(sim.clock.runUntilIdle({ limit: '36500d' })).rejects.toThrow('The clock stops at the end')
})
