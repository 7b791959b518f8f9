import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer sk_live_local' }
const VIDEO = { model: 'grok-imagine-video', prompt: 'waves', duration: 4 }

describeDialect('xai', 'https://api.x.ai', KEY, (open) => {
  it('answers polls of a video with 202 until its end', async () => {
    const { sim, get, post } = await open({
      scenario: { kinds: { video: { price: { per_task: 0.2 }, delay: '10s' } } },
    })
    const { status, body } = await post('/v1/videos/generations', VIDEO)
    expect([status, body]).toEqual([200, { request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
    await sim.clock.advance('4s')
    const path = `/v1/videos/${body.request_id}`
    expect(await get(path)).toMatchObject({ status: 202, body: { status: 'pending', progress: 40 } })
    await sim.clock.advance('6s')
    expect(await get(path)).toMatchObject({
      status: 200,
      body: {
        status: 'done',
        video: { url: expect.stringMatching(/\.mp4/), duration: 4, respect_moderation: true },
        usage: { cost_in_usd_ticks: 2_000_000_000 },
        progress: 100,
      },
    })
  })

  it('answers polls of a failed video with 200 and the error', async () => {
    const error = { code: 'generation_failed', message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post('/v1/videos/generations', VIDEO)
    await sim.clock.advance('5m')
    expect(await get(`/v1/videos/${body.request_id}`)).toMatchObject({
      status: 200,
      body: { status: 'failed', error: { code: 'internal_error', message: 'No.' } },
    })
  })

  it('answers polls of a blocked video with done, and no URL', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post('/v1/videos/generations', VIDEO)
    await sim.clock.advance('5m')
    const { body: blocked } = await get(`/v1/videos/${body.request_id}`)
    expect(blocked).toMatchObject({ status: 'done', video: { respect_moderation: false } })
    expect(blocked).not.toHaveProperty('error')
  })

  it('rejects a wrong key with 400, and a missing one with 401', async () => {
    const { base, post, request } = await open({ scenario: { auth: { keys: ['another-key'] } } })
    expect((await post('/v1/videos/generations', VIDEO)).status).toBe(400)
    expect((await request(`${base}/v1/videos/generations`, { method: 'POST' })).status).toBe(401)
  })
})
