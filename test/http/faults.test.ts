import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { statuses, taskPath } from './create-directly.js'
import { describeHosts, IMAGE, VIDEO } from './hosts.js'

type When = NonNullable<NonNullable<ScenarioInput['faults']>[number]['when']>

describeHosts('a fault', (open) => {
  it('answers instead of the operation, which does not run', async () => {
    const client = await open({ scenario: { faults: [{ when: { operation: 'tasks.create' }, then: 503 }] } })
    const refused = await client.post('/api/v1/tasks', IMAGE)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('content-type')).toBe('application/json')
    expect(refused.body.error).toEqual({
      code: 'unavailable',
      message: expect.stringContaining('503'),
      request_id: refused.headers.get('x-request-id'),
    })
    expect((await client.get('/api/v1/tasks')).body.data).toEqual([])
  })

  it('leaves a task behind if the operation runs, and a retry creates another', async () => {
    const { get, post } = await open({
      scenario: {
        faults: [{ when: { operation: 'tasks.create', nth: 1 }, then: { status: 504, executed: true } }],
      },
    })
    expect((await post('/api/v1/tasks', IMAGE)).status).toBe(504)
    const [lost] = (await get('/api/v1/tasks')).body.data
    const { body: second } = await post('/api/v1/tasks', IMAGE)
    expect(second.id).not.toBe(lost.id)
    expect((await get('/api/v1/tasks')).body.data).toEqual([second, lost])
  })

  it('can cancel a task and still answer with an error', async () => {
    const when = { operation: 'tasks.cancel' } as const
    const client = await open({ scenario: { faults: [{ when, then: { status: 500, executed: true } }] } })
    const path = await taskPath(client)
    expect((await client.post(`${path}/cancel`)).status).toBe(500)
    expect((await client.get(path)).body.status).toBe('canceled')
  })

  it('merges a patch into the task in the answer, and into each task of a page', async () => {
    const patch = { status: 'success', model: null, extra: { a: [1] }, input: { prompt: null, size: 'L' } }
    const { get, post, sim } = await open({ scenario: { faults: [{ then: { patch } }] } })
    const { body: created } = await post('/api/v1/tasks', IMAGE)
    const shown = {
      id: expect.stringMatching(/^task_/),
      status: 'success',
      input: { size: 'L' },
      created_at: '2026-01-01T00:00:00.000Z',
      extra: { a: [1] },
    }
    expect(created).toEqual(shown)
    expect((await get(`/api/v1/tasks/${created.id}`)).body).toEqual(shown)
    expect((await get('/api/v1/tasks')).body).toEqual({ data: [shown], has_more: false, next_cursor: null })
    expect(await sim.tasks.get(created.id)).toMatchObject({ model: IMAGE.model, input: IMAGE.input })
  })

  it('does not patch a rejection', async () => {
    const { get } = await open({ scenario: { faults: [{ then: { patch: { status: 'success' } } }] } })
    const { status, body } = await get('/api/v1/tasks/task_none')
    expect({ status, fields: Object.keys(body) }).toEqual({ status: 404, fields: ['error'] })
  })

  it('can return the last reported state of a task, and then the current one', async () => {
    const when: When = { operation: 'tasks.retrieve', nth: { min: 2, max: 3 } }
    const client = await open({ scenario: { defaults: { delay: '2s' }, faults: [{ when, then: 'stale' }] } })
    const path = await taskPath(client)
    const { body: before } = await client.get(path)
    expect(before.status).toBe('processing')
    await client.sim.clock.advance('1h')
    expect((await client.get(path)).body).toEqual(before)
    expect((await client.get(path)).body).toEqual(before)
    expect((await client.get(path)).body.status).toBe('succeeded')
  })

  it.each([
    { headers: { 'X-Cache': 'MISS' } },
    { delay: '0s' as const },
    { bytes_per_second: 1_000_000 },
    { content_type: 'text/plain' },
  ])('returns the last reported state, even if another fault changed that answer: %j', async (then) => {
    const faults = [
      { when: { nth: 2 }, then },
      { when: { nth: 3 }, then: 'stale' as const },
    ]
    const client = await open({ scenario: { defaults: { delay: '2s' }, faults } })
    const path = await taskPath(client)
    expect((await client.get(path)).body.status).toBe('processing')
    await client.sim.clock.advance('2s')
    const { body: last } = await client.get(path)
    expect(last.status).toBe('succeeded')
    expect((await client.get(path)).body).toEqual(last)
  })

  it('returns the last reported state, which ignores an answer that was lost in transmission', async () => {
    const faults = [
      { when: { nth: 2 }, then: { status: 502, executed: true } },
      { when: { nth: 3 }, then: 'stale' as const },
    ]
    const client = await open({ scenario: { defaults: { delay: '2s' }, faults } })
    const path = await taskPath(client)
    const { body: before } = await client.get(path)
    await client.sim.clock.advance('2s')
    expect((await client.get(path)).status).toBe(502)
    expect((await client.get(path)).body).toEqual(before)
  })

  it('does not apply to files unless it names their operation', async () => {
    const client = await open({
      scenario: { extends: 'instant', faults: [{ when: { nth: { min: 2 } }, then: 503 }] },
    })
    const path = await taskPath(client)
    const { output } = (await client.get(path)).body
    expect((await client.get(path)).status).toBe(503)
    expect((await client.send(output.images[0].replace(client.origin, ''))).status).toBe(200)
  })

  it('applies to the download of a file, by the model and key of its task', async () => {
    const operation = 'files.download'
    const client = await open({
      scenario: {
        extends: 'instant',
        faults: [
          { when: { operation, model: 'acme/video-1', key: 'sk_live_local' }, then: 410 },
          { when: { operation, model: 'acme/image-1', key: 'sk_other' }, then: 500 },
          { when: { operation, nth: 1, kind: 'image' }, then: 'empty' },
        ],
      },
    })
    const fileOf = async (order: { model: string; input: Record<string, string | number> }) => {
      const { output } = (await client.get(await taskPath(client, order))).body
      return client.send((output.images?.[0] ?? output.video).replace(client.origin, ''))
    }
    expect((await fileOf(VIDEO)).status).toBe(410)
    const empty = await fileOf(IMAGE)
    expect({ status: empty.status, bytes: (await empty.arrayBuffer()).byteLength }).toEqual({
      status: 200,
      bytes: 0,
    })
    const whole = await fileOf(IMAGE)
    expect(whole.headers.get('content-type')).toBe('image/png')
    expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(100)
  })

  it.each(['empty', 'cut', { bytes_per_second: 10 }] as const)(
    'leaves an answer without a body as it is: %j',
    async (then) => {
      const faults = [{ when: { operation: 'files.download' as const }, then: ['pass' as const, then, then] }]
      const client = await open({ scenario: { extends: 'instant', faults } })
      const { output } = (await client.get(await taskPath(client))).body
      const path = output.images[0].replace(client.origin, '')
      const etag = (await client.send(path)).headers.get('etag') ?? ''
      for (const [init, status] of [
        [{ headers: { 'if-none-match': etag } }, 304],
        [{ method: 'HEAD' }, 200],
      ] as const) {
        const answer = await client.send(path, init)
        expect([answer.status, await answer.text()]).toEqual([status, ''])
      }
    },
  )

  it('does not return a task for a stale file, which has no state', async () => {
    const client = await open({
      scenario: { extends: 'instant', faults: [{ when: { operation: 'files.download' }, then: 'stale' }] },
    })
    const { output } = (await client.get(await taskPath(client))).body
    const file = await client.send(output.images[0].replace(client.origin, ''))
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  it('never applies to the control API', async () => {
    const { send, sim } = await open({ scenario: { faults: [{ then: 'hang' }] } })
    const headers = { 'content-type': 'application/json', 'x-sim': 'nonsense' }
    const advance = await send('/_sim/clock', { method: 'POST', headers, body: '{"advance":"5s"}' })
    expect(advance.status).toBe(200)
    expect((await send('/_sim/clock')).status).toBe(200)
    expect(sim.clock.now()).toBe(Date.parse('2026-01-01T00:00:05Z'))
    expect((await send('/_sim/reset', { method: 'POST' })).status).toBeLessThan(300)
  })

  it('is in the event of the answer, by the name of its rule', async () => {
    const { get, sim } = await open({
      scenario: {
        faults: [
          { name: 'the third', when: { nth: 3 }, then: 503 },
          { when: { nth: 2 }, then: 500 },
        ],
      },
    })
    const answered: unknown[] = []
    sim.on('request.answered', ({ status, fault }) => answered.push([status, fault]))
    await statuses(4, () => get('/api/v1/tasks'))
    expect(answered).toEqual([
      [200, undefined],
      [500, 'faults[1]'],
      [503, 'the third'],
      [200, undefined],
    ])
  })

  it('applies only after the API key is checked', async () => {
    const { send, get } = await open({ scenario: { faults: [{ then: [503] }] } })
    expect((await send('/api/v1/tasks')).status).toBe(401)
    expect((await send('/api/v1/tasks', { method: 'OPTIONS' })).status).toBe(204)
    expect((await send('/api/v1/tasks', { method: 'DELETE' })).status).toBe(405)
    expect((await get('/api/v1/tasks')).status).toBe(503)
  })
})
