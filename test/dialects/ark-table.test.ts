import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const TASKS = '/api/v3/contents/generations/tasks'
const KEY = { authorization: 'Bearer sk_live_local' }
const VIDEO = {
  model: 'seedance-1-0-pro-video',
  content: [{ type: 'text', text: 'waves' }],
  duration: 4,
  ratio: '9:16',
}

describeDialect('ark', 'https://ark.cn-beijing.volces.com', KEY, (open) => {
  it('shows a video once it has ended, and its size as the request asks for it', async () => {
    const { sim, get, post } = await open({ scenario: { defaults: { delay: '10s' } } })
    const { body } = await post(TASKS, VIDEO)
    expect(body).toEqual({ id: expect.stringMatching(/^cgt-/) })
    expect((await get(`${TASKS}/${body.id}`)).body).toMatchObject({ status: 'running', error: null })
    await sim.clock.advance('10s')
    const { body: ended } = await get(`${TASKS}/${body.id}`)
    expect(ended).toMatchObject({
      status: 'succeeded',
      content: { video_url: expect.stringContaining('.mp4') },
      duration: 4,
      ratio: '9:16',
      resolution: '720p',
      created_at: 1_767_225_600,
      updated_at: 1_767_225_610,
    })
    expect(await sim.tasks.get(body.id)).toMatchObject({ media: { kind: 'video', seconds: 4, width: 720 } })
  })

  it('says why a video failed', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post(TASKS, VIDEO)
    await sim.clock.advance('5m')
    expect((await get(`${TASKS}/${body.id}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 'OutputVideoSensitiveContentDetected', message: 'No.' },
    })
  })

  it('deletes the record of an ended task, and refuses that of one that runs', async () => {
    const { sim, get, post, remove } = await open()
    const { body } = await post(TASKS, VIDEO)
    expect(await remove(`${TASKS}/${body.id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'OperationDenied' } },
    })
    await sim.clock.advance('5m')
    expect(await remove(`${TASKS}/${body.id}`)).toMatchObject({ status: 200, body: {} })
    expect(await get(`${TASKS}/${body.id}`)).toMatchObject({
      status: 404,
      body: { error: { type: 'NotFound', message: expect.stringContaining('Request ID: ') } },
    })
  })

  it('lists tasks by their state and their model', async () => {
    const { sim, get, post } = await open()
    await post(TASKS, VIDEO)
    await sim.clock.advance('5m')
    const { body } = await post(TASKS, VIDEO)
    const listed = async (query: string) =>
      (await get(`${TASKS}?${query}`)).body.items.map(({ id }: { id: string }) => id)
    expect(await listed('filter.status=running')).toEqual([body.id])
    expect(await listed('filter.model=other')).toEqual([])
    expect(await listed('page_size=1')).toEqual([body.id])
  })

  it.each([
    [{ content: VIDEO.content }, 'MissingParameter'],
    [{ model: VIDEO.model }, 'MissingParameter'],
  ])('rejects %j with the code %s', async (body, code) => {
    const { post } = await open()
    expect(await post(TASKS, body)).toMatchObject({
      status: 400,
      body: { error: { type: 'BadRequest', code } },
    })
  })
})
