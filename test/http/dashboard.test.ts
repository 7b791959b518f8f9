import { expect, it } from 'vitest'
import { describeHosts, IMAGE, VIDEO } from './hosts.js'

describeHosts('the control API for the dashboard', (open) => {
  it('lists tasks in one short line each, whatever the size of the input', async () => {
    const { get, post } = await open()
    await post('/api/v1/tasks', { ...IMAGE, input: { prompt: 'x'.repeat(5_000), n: 2 } })
    await post('/api/v1/tasks', {
      model: 'acme/composer-2.5',
      input: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
    })
    const { body } = await get('/_sim/tasks?brief=true')
    expect(body.data).toMatchObject([
      { kind: 'llm', prompt: 'Hello', status: 'processing', held: false },
      { kind: 'image', prompt: 'x'.repeat(200), key: expect.stringContaining('...') },
    ])
    expect(body.data[0]).not.toHaveProperty('input')
    expect((await get('/_sim/tasks?brief=perhaps')).status).toBe(400)
  })

  it('describes each task in the journal as in the list', async () => {
    const { sim, get, post } = await open()
    await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('10s')
    const { id, held: _, ...brief } = (await get('/_sim/tasks?brief=true')).body.data[0]
    const [entry] = (await get('/_sim/journal?type=task')).body.data
    expect(entry).toMatchObject({ task_id: id, ...brief, status: 'succeeded', cost_usd: 0.04 })
  })

  it('serves a file of a task, without a download in the journal, until its retention ends', async () => {
    const { sim, send, get, post } = await open()
    const { id } = (await post('/api/v1/tasks', VIDEO)).body
    expect((await send(`/_sim/tasks/${id}/files/0`)).status).toBe(404)
    await sim.clock.advance('10s')
    const file = await send(`/_sim/tasks/${id}/files/0`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    expect((await send(`/_sim/tasks/${id}/files/1`)).status).toBe(404)
    const { data } = (await get('/_sim/journal?type=request')).body
    expect(data.map(({ operation }: { operation: string }) => operation)).toEqual(['tasks.create'])
    await sim.clock.advance('31d')
    expect((await send(`/_sim/tasks/${id}/files/0`)).status).toBe(404)
  })

  it('previews a scenario without applying it', async () => {
    const { get, post } = await open()
    const { status, body } = await post('/_sim/preview', {
      text: 'kinds: { image: { delay: 3s } }',
      tasks: 20,
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      {
        model: 'example/image',
        kind: 'image',
        requests: 20,
        answers: { 200: 20 },
        tasks: 20,
        outcomes: { succeeded: 20 },
        confidence_95: { outcomes: { succeeded: [expect.closeTo(0.8389, 4), 1] } },
        excluded: [],
        processing_ms: { p50: 3_000 },
      },
    ])
    expect(
      (await post('/_sim/preview', { name: 'stuck', model: 'a/b', tasks: 5 })).body.data[0].outcomes,
    ).toEqual({
      stuck: 5,
    })
    expect((await post('/_sim/preview')).body.data).toHaveLength(6)
    expect((await get('/_sim/state')).body).toMatchObject({ scenario: { name: 'default' }, requests: 0 })
    expect((await get('/_sim/tasks')).body.data).toEqual([])
  })

  it.each([
    [{ tasks: 0 }, 'tasks'],
    [{ tasks: 2_001 }, 'tasks'],
    [{ model: 7 }, 'model'],
    [{ text: 7 }, 'text'],
  ])('rejects a preview of %j with the name of the field', async (body, param) => {
    const { post } = await open()
    expect(await post('/_sim/preview', body)).toMatchObject({ status: 400, body: { error: { param } } })
  })

  it('reports the mistakes in a scenario to preview', async () => {
    const { post } = await open()
    const { body } = await post('/_sim/preview', { text: 'kinds: { image: { delay: x } }' })
    expect(body.error).toMatchObject({ code: 'invalid_scenario', mistakes: [{ line: 1 }] })
  })
})
