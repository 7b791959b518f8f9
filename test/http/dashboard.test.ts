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
})
