import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key', 'x-runway-version': '2024-11-06' }

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

  it('rejects a request without the version of the API, or without a model', async () => {
    const { base, post, send } = await open()
    const { status, body } = await send(`${base}/v1/tasks/x`, { headers: { authorization: 'Bearer key' } })
    expect([status, body.error]).toEqual([400, expect.stringContaining('`X-Runway-Version` is missing')])
    const rejected = await post('/v1/image_to_video', { promptText: 'x' })
    expect(rejected).toMatchObject({ status: 400, body: { error: 'The field `model` is missing.' } })
    expect((await post('/v1/recipes/product_ad', { productInfo: 'x' })).status).toBe(200)
  })

  it('makes files of the size that the ratio says', async () => {
    const { sim, post } = await open()
    const sizeOf = async (path: string, ratio: string) => {
      const { body } = await post(path, { model: 'gen4_turbo', promptText: 'x', ratio })
      const { media } = (await sim.tasks.get(body.id)) ?? {}
      return media !== undefined && 'width' in media ? [media.width, media.height] : []
    }
    expect(await sizeOf('/v1/text_to_image', '1104:832')).toEqual([1_104, 832])
    expect(await sizeOf('/v1/image_to_video', '720:1280')).toEqual([720, 1_280])
    expect(await sizeOf('/v1/image_to_video', '1584:672')).toEqual([1_280, 720])
    expect(await sizeOf('/v1/image_to_video', '960:960')).toEqual([1_080, 1_080])
  })

  it('shows a task as throttled while other tasks wait before it', async () => {
    const { sim, get, post } = await open({
      scenario: { capacity: { running: 1 }, defaults: { delay: '10s' } },
    })
    const ids: string[] = []
    for (let made = 0; made < 3; made++)
      ids.push((await post('/v1/text_to_speech', { model: 'eleven_v3', promptText: 'x' })).body.id)
    const statuses = () => Promise.all(ids.map(async (id) => (await get(`/v1/tasks/${id}`)).body.status))
    expect(await statuses()).toEqual(['RUNNING', 'PENDING', 'THROTTLED'])
    await sim.clock.advance('10s')
    expect(await statuses()).toEqual(['SUCCEEDED', 'RUNNING', 'PENDING'])
  })

  it('counts a file that is sent to an announced URL as a request of the dialect', async () => {
    const when = { dialect: 'runway', operation: 'files.upload', method: 'PUT', nth: 1 } as const
    const { sim, post, send } = await open({ scenario: { faults: [{ when, then: 503 }] } })
    const seen: unknown[] = []
    sim.on('request.answered', ({ dialect, operation, status }) => seen.push([dialect, operation, status]))
    const { body } = await post('/v1/uploads', { filename: 'cat.png', type: 'ephemeral' })
    const refused = await send(body.uploadUrl, { method: 'PUT', body: 'meow' })
    expect([refused.status, Object.keys(refused.body)]).toEqual([503, ['error']])
    expect((await send(body.uploadUrl, { method: 'PUT', body: 'meow' })).status).toBe(200)
    expect(seen).toEqual([200, 503, 200].map((status) => ['runway', 'files.upload', status]))
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
    const { body: failed } = await post('/v1/sound_effect', {
      model: 'eleven_text_to_sound_v2',
      promptText: 'x',
    })
    await sim.clock.advance('1m')
    expect((await get(`/v1/tasks/${failed.id}`)).body).toMatchObject({
      status: 'FAILED',
      failure: 'No.',
      failureCode: 'SAFETY.INPUT',
      cost: { credits: 0 },
    })
  })
})
