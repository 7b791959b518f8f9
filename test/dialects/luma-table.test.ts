import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const ROOT = '/dream-machine/v1'
const KEY = { authorization: 'Bearer sk_live_local' }

describeDialect('luma', 'https://api.lumalabs.ai', KEY, (open) => {
  it('makes a video from a flat body, and shows its file once it has ended', async () => {
    const { sim, base, get, post } = await open()
    const created = await post(`${ROOT}/generations/video`, {
      model: 'ray-2',
      prompt: 'waves',
      duration: '5s',
    })
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        state: 'dreaming',
        generation_type: 'video',
        model: 'ray-2',
        created_at: '2026-01-01T00:00:00.000Z',
        request: { generation_type: 'video', prompt: 'waves', duration: '5s' },
      },
    })
    expect(created.body).not.toHaveProperty('assets')
    await sim.clock.advance('1m')
    const { body } = await get(`${ROOT}/generations/${created.body.id}`)
    expect(body).toMatchObject({
      ...created.body,
      state: 'completed',
      assets: { video: expect.stringContaining(`${new URL(base).origin}/files/${created.body.id}/0.mp4?`) },
    })
    expect(body.assets).not.toHaveProperty('image')
  })

  it('says why a generation failed, and rejects in its own form', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post(`${ROOT}/generations/image`, { model: 'photon-1', prompt: 'a lighthouse' })
    await sim.clock.advance('1m')
    expect((await get(`${ROOT}/generations/${body.id}`)).body).toMatchObject({
      state: 'failed',
      failure_reason: 'No.',
    })
    expect(await get(`${ROOT}/generations/none`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('none') },
    })
    expect(await post(`${ROOT}/generations/image`, {})).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('`model`') },
    })
  })

  it.each([
    'empty',
    'invalid_json',
    'cut',
    { bytes_per_second: 10 },
    { body: 'empty', bytes_per_second: 10 },
  ] as const)('answers a deletion with 204, whatever a fault does to its body: %j', async (then) => {
    const faults = [{ when: { operation: 'tasks.delete' as const }, then }]
    const { get, post, remove } = await open({ scenario: { faults } })
    const { body } = await post(`${ROOT}/generations/image`, { model: 'photon-1', prompt: 'a lighthouse' })
    const path = `${ROOT}/generations/${body.id}`
    expect(await remove(path)).toMatchObject({ status: 204, body: '' })
    expect((await get(path)).status).toBe(404)
  })

  it('lists its own generations by offset, and deletes them', async () => {
    const { sim, get, post, remove } = await open()
    await sim.create({
      owner: 'sk_live_local',
      model: 'acme/image-1',
      input: {},
      webhookUrl: undefined,
      origin: 'http://localhost',
    })
    const ids: string[] = []
    for (let made = 0; made < 3; made++)
      ids.unshift((await post(`${ROOT}/generations/image`, { model: 'photon-1', prompt: 'x' })).body.id)
    const first = await get(`${ROOT}/generations?limit=2`)
    expect(first.body).toMatchObject({ count: 2, has_more: true, limit: 2, offset: 0 })
    const second = await get(`${ROOT}/generations?limit=2&offset=2`)
    expect(second.body).toMatchObject({ count: 1, has_more: false, offset: 2 })
    const listed = [...first.body.generations, ...second.body.generations]
    expect(listed.map(({ id }) => id)).toEqual(ids)
    expect((await remove(`${ROOT}/generations/${ids[0]}`)).status).toBe(204)
    expect((await get(`${ROOT}/generations/${ids[0]}`)).status).toBe(404)
    expect((await get(`${ROOT}/ping`)).body).toEqual({ message: 'pong' })
  })
})
