import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer sk_live_local' }
const VIDEO = { model: 'minimax/video-01-director', prompt: 'waves', seconds: '4' }

describeDialect('together', 'https://api.together.ai', KEY, (open) => {
  it.each(['/v2', '/v1'])('makes a video below %s', async (version) => {
    const { sim, get, post } = await open({
      scenario: { kinds: { video: { price: { per_task: 0.2 }, delay: '10s' } } },
    })
    const { body } = await post(`${version}/videos`, VIDEO)
    expect(body).toMatchObject({ object: 'video', status: 'in_progress', created_at: 1_767_225_600 })
    await sim.clock.advance('10s')
    expect((await get(`${version}/videos/${body.id}`)).body).toMatchObject({
      id: body.id,
      status: 'completed',
      seconds: '4',
      completed_at: 1_767_225_610,
      outputs: { cost: 0.2, video_url: expect.stringContaining('.mp4') },
    })
  })

  it('says why a video failed', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post('/v2/videos', VIDEO)
    await sim.clock.advance('5m')
    expect((await get(`/v2/videos/${body.id}`)).body).toMatchObject({ status: 'failed', error })
  })

  it('rejects requests in its own form', async () => {
    const { get, post } = await open()
    expect(await post('/v2/videos', {})).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param: 'model' } },
    })
    expect(await get('/v2/videos/none')).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found' } },
    })
  })
})
