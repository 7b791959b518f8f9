import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }

describeDialect('runway', 'https://api.dev.runwayml.com', KEY, (open) => {
  it('shows progress while a task runs, and its cost and files after its end', async () => {
    const { sim, get, post } = await open({
      scenario: { extends: 'realistic', kinds: { video: { delay: '10s', failures: { rate: 0 } } } },
    })
    const { body } = await post('/v1/image_to_video', {
      model: 'gen4_turbo',
      promptText: 'waves',
      duration: 5,
    })
    expect(body).toEqual({ id: expect.any(String), estimatedCost: { credits: 60 } })
    await sim.clock.advance('5s')
    expect((await get(`/v1/tasks/${body.id}`)).body).toEqual({
      id: body.id,
      status: 'RUNNING',
      createdAt: '2026-01-01T00:00:00.000Z',
      estimatedCost: { credits: 60 },
      progress: 0.5,
    })
    await sim.clock.advance('5s')
    expect((await get(`/v1/tasks/${body.id}`)).body).toEqual({
      id: body.id,
      status: 'SUCCEEDED',
      createdAt: '2026-01-01T00:00:00.000Z',
      cost: { credits: 60 },
      output: [expect.stringContaining(`/files/${body.id}/0.mp4`)],
    })
  })

  it('takes a file at the URL that an upload announces, without a key', async () => {
    const { get, post, send } = await open()
    const missing = await post('/v1/uploads', { type: 'ephemeral' })
    expect(missing).toMatchObject({ status: 400, body: { error: 'The field `filename` is missing.' } })
    const { body } = await post('/v1/uploads', { filename: 'cat.png', type: 'ephemeral' })
    const { uploadUrl: url, runwayUri } = body
    expect(runwayUri).toMatch(/^runway:\/\/[a-z0-9]{24}$/)
    expect((await send(url, {})).status).toBe(404)
    const form = new FormData()
    form.set('key', body.fields.key)
    form.set('file', new File(['meow'], 'cat.png', { type: 'image/png' }))
    expect((await send(url, { method: 'POST', body: form })).status).toBe(204)
    const file = await send(url, {})
    expect([file.status, file.headers.get('content-type'), file.body]).toEqual([200, 'image/png', 'meow'])
    expect((await send(url, { method: 'PUT', body: 'woof' })).status).toBe(200)
    expect((await send(url, {})).body).toBe('woof')
    expect((await send(`${url}x`, { method: 'PUT', body: 'no' })).status).toBe(403)
    expect((await send(url, { method: 'POST', body: 'no' })).status).toBe(415)
    expect((await get('/v1/uploads')).status).toBe(405)
  })

  it('cancels and forgets a deleted task, and gives the reason of a failure', async () => {
    const error = { code: 'SAFETY.INPUT', message: 'No.' }
    const { sim, get, post, remove } = await open({
      scenario: {
        rules: [{ then: { outcome: 'failed', error } }],
        faults: [{ when: { operation: 'tasks.delete', method: 'DELETE' }, then: [503] }],
      },
    })
    const { body: deleted } = await post('/v1/text_to_image', { model: 'gen4_image', promptText: 'x' })
    const removed = [await remove(`/v1/tasks/${deleted.id}`), await remove(`/v1/tasks/${deleted.id}`)]
    expect(removed.map(({ status }) => status)).toEqual([503, 204])
    expect(await get(`/v1/tasks/${deleted.id}`)).toMatchObject({
      status: 404,
      body: { error: expect.any(String) },
    })
    const { body: failed } = await post('/v1/sound_effect', { promptText: 'x' })
    await sim.clock.advance('1m')
    expect((await get(`/v1/tasks/${failed.id}`)).body).toMatchObject({
      status: 'FAILED',
      failure: 'No.',
      failureCode: 'SAFETY.INPUT',
      cost: { credits: 0 },
    })
  })
})
