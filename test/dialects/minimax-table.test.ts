import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer sk_live_local' }
const VIDEO = { model: 'MiniMax-Hailuo-02', prompt: 'waves', duration: 6 }
const OK = { status_code: 0, status_msg: 'success' }

describeDialect('minimax', 'https://api.minimax.io', KEY, (open) => {
  it('has the id of a file in an ended task, and its URL in the file', async () => {
    const { sim, get, post } = await open({ scenario: { defaults: { delay: '10s' } } })
    const { body } = await post('/v1/video_generation', VIDEO)
    expect(body).toEqual({ task_id: expect.stringMatching(/^\d{18}$/), base_resp: OK })
    const path = `/v1/query/video_generation?task_id=${body.task_id}`
    expect((await get(path)).body).toEqual({ task_id: body.task_id, status: 'Processing', base_resp: OK })
    await sim.clock.advance('10s')
    const { body: ended } = await get(path)
    expect(ended).toMatchObject({ status: 'Success', file_id: expect.any(String), video_width: 1280 })
    expect((await get(`/v1/files/retrieve?file_id=${ended.file_id}`)).body).toMatchObject({
      file: {
        file_id: ended.file_id,
        purpose: 'video_generation',
        download_url: expect.stringContaining('.mp4'),
      },
      base_resp: OK,
    })
  })

  it.each([
    ['content_policy', 1026],
    ['generation_failed', 1000],
  ])('a failure with the code %s has the status code %i', async (code, status) => {
    const error = { code, message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post('/v1/video_generation', VIDEO)
    await sim.clock.advance('5m')
    expect((await get(`/v1/query/video_generation?task_id=${body.task_id}`)).body).toMatchObject({
      status: 'Fail',
      base_resp: { status_code: status, status_msg: 'No.' },
    })
  })

  it('rejects requests with 200 and numbers of its own', async () => {
    const { get, post } = await open({ scenario: { auth: { keys: [{ key: 'sk_live_local', credits: 0 }] } } })
    const codeOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [
      status,
      body.base_resp.status_code,
    ]
    expect(codeOf(await post('/v1/video_generation', {}))).toEqual([200, 2013])
    expect(codeOf(await post('/v1/video_generation', VIDEO))).toEqual([200, 1008])
    expect(codeOf(await get('/v1/query/video_generation?task_id=1'))).toEqual([200, 2013])
    const strict = await open({ scenario: { auth: { keys: ['another-key'] } } })
    expect(codeOf(await strict.post('/v1/video_generation', VIDEO))).toEqual([200, 1004])
  })

  it('posts other words than those of answers at each change of the state', async () => {
    const { url, received } = await startReceiver()
    const { sim, post } = await open()
    const { body } = await post('/v1/video_generation', { ...VIDEO, callback_url: url })
    await sim.clock.advance('5m')
    expect(received.map(({ json }) => json)).toMatchObject([
      { task_id: body.task_id, status: 'processing' },
      { task_id: body.task_id, status: 'success', file_id: expect.any(String) },
    ])
  })
})
