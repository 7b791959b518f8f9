import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer sk_live_local' }
const VIDEO = { model_name: 'kling-v2-1-master', prompt: 'waves', external_task_id: 'mine' }

describeDialect('kling', 'https://api-singapore.klingai.com', KEY, (open) => {
  it('shows a video once it has ended, in milliseconds', async () => {
    const { sim, get, post } = await open({ scenario: { defaults: { delay: '10s' } } })
    const { status, body } = await post('/v1/videos/text2video', VIDEO)
    expect([status, body]).toEqual([
      200,
      {
        code: 0,
        message: expect.any(String),
        request_id: expect.any(String),
        data: {
          task_id: expect.stringMatching(/^\d{18}$/),
          task_status: 'submitted',
          task_info: { external_task_id: 'mine' },
          created_at: 1_767_225_600_000,
          updated_at: 1_767_225_600_000,
        },
      },
    ])
    const path = `/v1/videos/text2video/${body.data.task_id}`
    expect((await get(path)).body.data.task_status).toBe('processing')
    await sim.clock.advance('10s')
    expect((await get(path)).body).toMatchObject({
      code: 0,
      data: {
        task_status: 'succeed',
        updated_at: 1_767_225_610_000,
        task_result: { videos: [{ url: expect.stringContaining('.mp4'), duration: '5' }] },
      },
    })
  })

  it('says why a video failed', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post('/v1/videos/text2video', VIDEO)
    await sim.clock.advance('5m')
    expect((await get(`/v1/videos/text2video/${body.data.task_id}`)).body.data).toMatchObject({
      task_status: 'failed',
      task_status_msg: 'No.',
    })
  })

  it('lists tasks', async () => {
    const { get, post } = await open()
    await post('/v1/videos/text2video', VIDEO)
    const { body } = await post('/v1/videos/text2video', VIDEO)
    expect((await get('/v1/videos/text2video?pageSize=1')).body).toMatchObject({
      code: 0,
      data: [{ task_id: body.data.task_id }],
    })
  })

  it('rejects requests with numbers of its own', async () => {
    const { get, post } = await open({ scenario: { auth: { keys: [{ key: 'sk_live_local', credits: 0 }] } } })
    expect(await get('/v1/videos/text2video/1')).toMatchObject({ status: 404, body: { code: 1203 } })
    expect(await post('/v1/videos/image2video', VIDEO)).toMatchObject({ status: 400, body: { code: 1201 } })
    expect(await post('/v1/videos/text2video', VIDEO)).toMatchObject({ status: 429, body: { code: 1102 } })
  })

  it('posts the task at each change of its state', async () => {
    const { url, received } = await startReceiver()
    const { sim, post } = await open()
    const { body } = await post('/v1/videos/text2video', { ...VIDEO, callback_url: url })
    await sim.clock.advance('5m')
    expect(received.map(({ json }) => json)).toMatchObject([
      { task_id: body.data.task_id, task_status: 'processing' },
      { task_id: body.data.task_id, task_status: 'succeed' },
    ])
    expect(received[0]?.headers).toHaveProperty('webhook-signature', expect.stringMatching(/^v1,/))
  })
})
