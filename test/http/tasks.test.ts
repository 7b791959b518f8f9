import { expect, it } from 'vitest'
import { describeHosts, IMAGE, read, VIDEO } from './hosts.js'

describeHosts('a task', (open) => {
  it('is processing when it is created, and succeeds after its delay', async () => {
    const { sim, get, post, origin } = await open()
    const created = await post('/api/v1/tasks', IMAGE)
    expect(created.status).toBe(200)
    expect(created.body).toEqual({
      id: expect.stringMatching(/^task_[0-9A-Za-z]{24}$/),
      model: 'acme/image-1',
      status: 'processing',
      input: IMAGE.input,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    const path = `/api/v1/tasks/${created.body.id}`
    await sim.clock.advance('1999ms')
    expect((await get(path)).body.status).toBe('processing')
    await sim.clock.advance('1ms')
    expect((await get(path)).body).toEqual({
      ...created.body,
      status: 'succeeded',
      output: { images: [expect.stringContaining(`${origin}/files/${created.body.id}/0.png?expires=`)] },
      cost_usd: 0.04,
      completed_at: '2026-01-01T00:00:02.000Z',
    })
  })

  it('fails with an error and without cost if the scenario says so', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body: task } = await post('/api/v1/tasks', VIDEO)
    await sim.clock.advance('1m')
    const { body } = await get(`/api/v1/tasks/${task.id}`)
    expect(body).toMatchObject({
      status: 'failed',
      error,
      cost_usd: 0,
      completed_at: '2026-01-01T00:00:03.000Z',
    })
    expect(body).not.toHaveProperty('output')
  })

  it('is the same under the plural and the singular path, and under both prefixes', async () => {
    const { get, post } = await open()
    for (const path of ['/api/v1/tasks', '/api/v1/task', '/v1/tasks', '/v1/task']) {
      const { body: task } = await post(path, IMAGE)
      expect((await get(`${path}/${task.id}`)).body).toEqual(task)
      expect((await get(path)).body.data).toContainEqual(task)
      expect((await post(`${path}/${task.id}/cancel`)).body.status).toBe('canceled')
    }
  })

  it('can be canceled until it has ended, and then costs nothing', async () => {
    const { sim, get, post } = await open()
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    const cancel = `/api/v1/tasks/${task.id}/cancel`
    await sim.clock.advance('1s')
    const canceled = await post(cancel)
    expect(canceled).toMatchObject({
      status: 200,
      body: { status: 'canceled', cost_usd: 0, completed_at: '2026-01-01T00:00:01.000Z' },
    })
    await sim.clock.advance('1m')
    expect(await post(cancel)).toMatchObject({ status: 200, body: canceled.body })
    expect((await get(`/api/v1/tasks/${task.id}`)).body).toEqual(canceled.body)
  })

  it('cannot be canceled once it has succeeded', async () => {
    const { sim, post } = await open()
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('2s')
    const late = await post(`/api/v1/tasks/${task.id}/cancel`)
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  })

  it('is visible to no other API key', async () => {
    const { sim, get, post, send } = await open()
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    const headers = { authorization: 'Bearer sk_live_other' }
    const path = `/api/v1/tasks/${task.id}`
    const retrieved = await send(path, { headers })
    expect(retrieved.status).toBe(404)
    expect((await read(retrieved)).body.error.code).toBe('task_not_found')
    expect((await send(`${path}/cancel`, { method: 'POST', headers })).status).toBe(404)
    expect((await read(await send('/api/v1/tasks', { headers }))).body.data).toEqual([])
    await sim.clock.advance('1s')
    expect((await get(path)).status).toBe(200)
  })

  it('echoes its input unchanged, whatever it contains', async () => {
    const { get, post } = await open()
    const input =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"lone":"\\ud800","emoji":"\\ud83c\\udf0a","":0}'
    const { body: task } = await post('/api/v1/tasks', `{"model":"m","input":${input}}`)
    const { body } = await get(`/api/v1/tasks/${task.id}`)
    expect(JSON.stringify(body.input)).toBe(JSON.stringify(JSON.parse(input)))
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('for an LLM produces a reply that is billed by its tokens', async () => {
    const { sim, get, post } = await open({ scenario: 'llm' })
    const messages = [{ role: 'user', content: 'Say hello. <|endoftext|>' }]
    const { body: task } = await post('/v1/tasks', { model: 'any/composer-2.5', input: { messages } })
    await sim.clock.advance('1h')
    const { output, cost_usd } = (await get(`/v1/tasks/${task.id}`)).body
    expect(output).toMatchObject({ message: { role: 'assistant' }, finish_reason: 'stop' })
    expect(output.message.content.length).toBeGreaterThan(20)
    expect(cost_usd).toBeCloseTo((output.usage.input_tokens * 3) / 1e6, 9)
  })
})
