import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const PATH = '/api/v1/services/aigc/video-generation/video-synthesis'
const KEY = { authorization: 'Bearer sk_live_local' }
const VIDEO = {
  model: 'wan2.5-t2v-preview',
  input: { prompt: 'waves' },
  parameters: { size: '1280*720', duration: 4 },
}

describeDialect('dashscope', 'https://dashscope-intl.aliyuncs.com', KEY, (open) => {
  const start = async (...options: Parameters<typeof open>) => {
    const service = await open(...options)
    const headers = { 'content-type': 'application/json', 'x-dashscope-async': 'enable' }
    const create = (body: object = VIDEO) =>
      service.send(PATH, { method: 'POST', headers, body: JSON.stringify(body) })
    return { ...service, create }
  }

  it('shows a video once it has ended, in times without a zone', async () => {
    const { sim, get, create } = await start({ scenario: { defaults: { queueing: '1s', delay: '9s' } } })
    const { body } = await create()
    expect(body).toEqual({
      request_id: expect.any(String),
      output: { task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), task_status: 'PENDING' },
    })
    await sim.clock.advance('5s')
    const path = `/api/v1/tasks/${body.output.task_id}`
    expect((await get(path)).body.output).toMatchObject({
      task_status: 'RUNNING',
      submit_time: '2026-01-01 00:00:00.000',
      scheduled_time: '2026-01-01 00:00:01.000',
    })
    await sim.clock.advance('5s')
    expect((await get(path)).body).toMatchObject({
      output: {
        task_status: 'SUCCEEDED',
        end_time: '2026-01-01 00:00:10.000',
        orig_prompt: 'waves',
        video_url: expect.stringContaining('.mp4'),
      },
      usage: { duration: 4, video_count: 1 },
    })
    expect(await sim.tasks.get(body.output.task_id)).toMatchObject({ media: { seconds: 4, width: 1280 } })
  })

  it('lists tasks by pages, and counts those on all pages', async () => {
    const { sim, get, create } = await start({ scenario: { defaults: { delay: '10s' } } })
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      const { body } = await create(count === 4 ? { ...VIDEO, model: 'wan-other' } : VIDEO)
      ids.unshift(body.output.task_id)
      await sim.clock.advance('6s')
    }
    const item = { status: 'SUCCEEDED', model_name: VIDEO.model, gmt_create: 1_767_225_606_000 }
    expect((await get('/api/v1/tasks?page_no=2&page_size=2')).body).toMatchObject({
      total: 5,
      total_page: 3,
      page_no: 2,
      page_size: 2,
      data: [{ task_id: ids[2] }, { task_id: ids[3], ...item, end_time: 1_767_225_616_000 }],
    })
    const filtered = await get(`/api/v1/tasks?model_name=${VIDEO.model}&status=SUCCEEDED&page_size=3`)
    expect(filtered.body).toMatchObject({ total: 4, total_page: 2, data: { length: 3 } })
    expect((await get('/api/v1/tasks?model_name=none')).body).toMatchObject({
      total: 0,
      total_page: 0,
      data: [],
    })
  })

  it('says why a video failed, and shows no usage', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, create } = await start({
      scenario: { rules: [{ then: { outcome: 'failed', error } }] },
    })
    const { body } = await create()
    await sim.clock.advance('5m')
    const { body: failed } = await get(`/api/v1/tasks/${body.output.task_id}`)
    expect(failed.output).toMatchObject({
      task_status: 'FAILED',
      code: 'DataInspectionFailed',
      message: 'No.',
    })
    expect(failed).not.toHaveProperty('usage')
  })

  it('cancels a task that is pending, and no other one', async () => {
    const { get, post, create } = await start({ scenario: { capacity: { running: 1 } } })
    const [running, pending] = [await create(), await create()].map(({ body }) => body.output.task_id)
    expect(await post(`/api/v1/tasks/${running}/cancel`)).toMatchObject({
      status: 400,
      body: { code: 'UnsupportedOperation', request_id: expect.any(String) },
    })
    expect(await post(`/api/v1/tasks/${pending}/cancel`)).toMatchObject({ status: 200 })
    expect((await get(`/api/v1/tasks/${pending}`)).body.output.task_status).toBe('CANCELED')
  })

  it('has the status UNKNOWN for an unknown task', async () => {
    const { get } = await start()
    expect(await get('/api/v1/tasks/none')).toMatchObject({
      status: 200,
      body: { output: { task_status: 'UNKNOWN' } },
    })
  })

  it('rejects a request without the header of asynchronous calls', async () => {
    const { post } = await start()
    expect(await post(PATH, VIDEO)).toMatchObject({ status: 403, body: { code: 'AccessDenied' } })
  })

  it('rejects a request without an input, and one that the account cannot pay', async () => {
    const { create } = await start({ scenario: { auth: { keys: [{ key: 'sk_live_local', credits: 0 }] } } })
    expect(await create({ model: VIDEO.model })).toMatchObject({
      status: 400,
      body: { code: 'InvalidParameter' },
    })
    expect(await create()).toMatchObject({ status: 400, body: { code: 'Arrearage' } })
  })
})
