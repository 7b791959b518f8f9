import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { 'x-api-key': 'sk_live_local' }
const VIDEO = { type: 'avatar', avatar_id: 'abigail', script: 'Hello.', voice_id: 'v1', title: 'Intro' }

describeDialect('heygen', 'https://api.heygen.com', KEY, (open) => {
  it('makes a video of a script', async () => {
    const { sim, get, post } = await open({ scenario: { defaults: { delay: '10s' } } })
    const { body } = await post('/v3/videos', { ...VIDEO, duration: 60 })
    expect(body).toEqual({ data: { video_id: expect.any(String), status: 'waiting', output_format: 'mp4' } })
    const id = body.data.video_id
    const running = { id, status: 'processing', title: 'Intro', created_at: 1_767_225_600, video_url: null }
    expect((await get(`/v3/videos/${id}`)).body.data).toMatchObject({ ...running, failure_code: null })
    await sim.clock.advance('10s')
    expect((await get(`/v3/videos/${id}`)).body.data).toMatchObject({
      status: 'completed',
      completed_at: 1_767_225_610,
      // The service has no field for the length.
      duration: 5,
      video_url: expect.stringContaining('.mp4'),
    })
    expect(await sim.tasks.get(id)).toMatchObject({ model: 'avatar', input: { prompt: 'Hello.' } })
  })

  it('says why a video failed, and lists and deletes videos', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post, remove } = await open({
      scenario: { rules: [{ then: { outcome: 'failed', error } }] },
    })
    const ids: string[] = []
    for (let count = 0; count < 2; count++) ids.unshift((await post('/v3/videos', VIDEO)).body.data.video_id)
    await sim.clock.advance('5m')
    expect((await get(`/v3/videos/${ids[0]}`)).body.data).toMatchObject({
      status: 'failed',
      failure_code: 'content_policy',
      failure_message: 'No.',
    })
    const { body: page } = await get('/v3/videos?limit=1')
    expect(page).toMatchObject({ data: [{ id: ids[0] }], has_more: true })
    expect((await get(`/v3/videos?token=${page.next_token}`)).body).toMatchObject({
      data: [{ id: ids[1] }],
      has_more: false,
      next_token: null,
    })
    const removed = await remove(`/v3/videos/${ids[0]}`)
    expect([removed.status, removed.body]).toEqual([200, { data: { id: ids[0], deleted: true } }])
    expect((await get(`/v3/videos/${ids[0]}`)).status).toBe(404)
  })

  it('takes the key in either place, and rejects requests in its own form', async () => {
    const { base, post, send } = await open({
      scenario: { auth: { keys: [{ key: 'sk_live_local', credits: 0 }] } },
    })
    const codeOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [status, body.error.code]
    const bearer = { authorization: 'Bearer sk_live_local' }
    expect(codeOf(await send(`${base}/v3/videos/none`, { headers: bearer }))).toEqual([404, 'not_found'])
    expect(codeOf(await send(`${base}/v3/videos/none`, {}))).toEqual([401, 'unauthorized'])
    expect(codeOf(await post('/v3/videos', VIDEO))).toEqual([402, 'insufficient_credit'])
    expect((await post('/v3/videos', {})).body.error).toMatchObject({
      code: 'invalid_parameter',
      param: 'type',
    })
  })

  it('posts the end of a video to the URL of its request', async () => {
    const { url, received } = await startReceiver()
    const error = { code: 'timeout', message: 'No.' }
    const { sim, post } = await open({
      scenario: { rules: [{ when: { occurrence: 2 }, then: { outcome: 'failed', error } }] },
    })
    const order = { ...VIDEO, callback_url: url, callback_id: 'mine' }
    const ids = [await post('/v3/videos', order), await post('/v3/videos', order)].map(
      ({ body }) => body.data.video_id,
    )
    await sim.clock.advance('5m')
    const sent = received.map(({ json }) => [
      json.event_type,
      json.event_data.video_id,
      json.event_data.callback_id,
    ])
    expect(sent.sort()).toEqual([
      ['avatar_video.fail', ids[1], 'mine'],
      ['avatar_video.success', ids[0], 'mine'],
    ])
  })
})
