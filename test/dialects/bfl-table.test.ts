import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { 'x-key': 'sk_live_local' }
const SECRET = 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA=='

describeDialect('bfl', 'https://api.bfl.ai', KEY, (open) => {
  it('makes an image with the model in the path, at the URL that the answer has', async () => {
    const { sim, base, get, post, send } = await open({
      scenario: { kinds: { image: { price: { per_task: 0.04 }, delay: '10s' } } },
    })
    const { body } = await post('/v1/flux-2-pro', { prompt: 'waves', seed: 7 })
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      polling_url: `${base}/v1/get_result?id=${body.id}`,
      cost: 4,
    })
    await sim.clock.advance('4s')
    expect((await get(`/v1/get_result?id=${body.id}`)).body).toMatchObject({
      status: 'Pending',
      result: null,
    })
    await sim.clock.advance('6s')
    expect((await send(body.polling_url, { headers: KEY })).body).toMatchObject({
      status: 'Ready',
      progress: 1,
      result: {
        sample: expect.stringMatching(/^http.*\.png/),
        prompt: 'waves',
        seed: 7,
        start_time: 1_767_225_600,
        end_time: 1_767_225_610,
        duration: 10,
      },
    })
  })

  it.each([
    ['content_policy', 'Content Moderated'],
    ['invalid_input', 'Request Moderated'],
    ['overloaded', 'Error'],
  ])('a failure with the code %s has the status %s', async (code, status) => {
    const { sim, get, post } = await open({
      scenario: { rules: [{ then: { outcome: 'failed', error: { code, message: 'No.' } } }] },
    })
    const { body } = await post('/v1/flux-2-pro', { prompt: 'waves' })
    await sim.clock.advance('5m')
    expect((await get(`/v1/get_result?id=${body.id}`)).body).toMatchObject({ status, result: null })
  })

  it('says that an unknown task is not found with a status of the task', async () => {
    const { get } = await open()
    expect(await get('/v1/get_result?id=none')).toMatchObject({
      status: 200,
      body: { status: 'Task not found' },
    })
  })

  it('rejects a body without a prompt with 422, and a wrong key with 403', async () => {
    const { post } = await open()
    expect(await post('/v1/flux-2-pro', {})).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'prompt'], type: 'value_error' }] },
    })
    const strict = await open({ scenario: { auth: { keys: ['another-key'] } } })
    expect((await strict.post('/v1/flux-2-pro', { prompt: 'waves' })).status).toBe(403)
  })

  it('signs the body of a webhook', async () => {
    const { url, received } = await startReceiver()
    const { sim, post } = await open()
    await post('/v1/flux-2-pro', { prompt: 'waves', webhook_url: url })
    await sim.clock.advance('5m')
    const [{ headers, body, json } = expect.unreachable()] = received
    expect(json).toMatchObject({ status: 'Ready', result: { sample: expect.any(String) } })
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    expect(headers['x-bfl-signature']).toBe(`sha256=${signature}`)
  })
})
