import { expect, it } from 'vitest'
import { type Download, defineScenario, signPayload } from '../../src/index.js'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }

describeDialect('openrouter', 'https://openrouter.ai', KEY, (open) => {
  it('answers 202 with a URL to poll, and serves the video to its owner', async () => {
    const { sim, base, get, post } = await open()
    const created = await post('/api/v1/videos', { model: 'google/veo-3.1', prompt: 'waves', duration: 4 })
    const { id } = created.body
    expect(id).toMatch(/^gen-vid-1767225600-[0-9A-Za-z]{20}$/)
    expect(created).toMatchObject({
      status: 202,
      // Without the origin.
      body: { status: 'pending', polling_url: new URL(`${base}/api/v1/videos/${id}`).pathname },
    })
    expect((await get(`/api/v1/videos/${id}/content?index=0`)).status).toBe(404)
    await sim.clock.advance('1m')
    expect((await get(`/api/v1/videos/${id}`)).body).toMatchObject({
      status: 'completed',
      urls: [expect.stringMatching(/^https?:.*\/files\/.*signature=/)],
      unsigned_urls: [`${base}/api/v1/videos/${id}/content?index=0`],
      usage: { cost: expect.any(Number), is_byok: false },
    })
    const file = await get(`/api/v1/videos/${id}/content?index=0`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect((await get('/api/v1/videos/models')).body.data).toHaveLength(1)
    expect((await get('/api/v1/videos/none')).body).toEqual({
      error: { code: 404, message: expect.any(String) },
    })
  })

  it.each(['-1', '0.5', '1', 'first'])('has no file with the index %s', async (index) => {
    const { sim, get, post } = await open()
    const { id } = (await post('/api/v1/videos', { model: 'google/veo-3.1', prompt: 'waves' })).body
    await sim.clock.advance('1m')
    expect((await get(`/api/v1/videos/${id}/content?index=0`)).status).toBe(200)
    expect((await get(`/api/v1/videos/${id}/content?index=${index}`)).status).toBe(404)
  })

  it('reports every download of a file by its owner, granted or not, and finds no fault with the key', async () => {
    const { sim, get, post } = await open({ scenario: { outputs: { retention: '2h' } } })
    const downloads: Download[] = []
    sim.on('file.downloaded', (download) => downloads.push(download))
    const { body } = await post('/api/v1/videos', { model: 'google/veo-3.1', prompt: 'waves' })
    const path = `/api/v1/videos/${body.id}/content?index=0`
    expect((await get(path)).status).toBe(404)
    await sim.clock.advance('1m')
    await get(`/api/v1/videos/${body.id}`)
    await get(path)
    await sim.clock.advance('3h')
    expect((await get(path)).status).toBe(410)
    expect(downloads.map(({ taskId, status }) => [taskId, status])).toEqual(
      [404, 200, 410].map((status) => [body.id, status]),
    )
    expect((await sim.findings()).map(({ id }) => id)).toEqual(['fetched-after-expiry'])
  })

  it('signs the time and the body of a webhook', async () => {
    const { sim, base, post } = await open()
    const receiver = await startReceiver()
    const { body } = await post('/api/v1/videos', { model: 'x/y', prompt: 'x', callback_url: receiver.url })
    await sim.clock.advance('1m')
    const [request] = receiver.received
    expect(request?.json).toMatchObject({
      type: 'video.generation.completed',
      created_at: expect.stringMatching(/^2026-01-01T/),
      data: {
        id: body.id,
        status: 'completed',
        polling_url: new URL(`${base}/api/v1/videos/${body.id}`).pathname,
      },
    })
    const [, time, signature] = SIGNATURE.exec(String(request?.headers['x-openrouter-signature'])) ?? []
    expect(signature).toBe(signPayload(`${time},${request?.body.toString()}`, SECRET))
    expect(request?.headers['x-openrouter-idempotency-key']).toBe(`${body.id}-video.generation.completed`)
  })

  it('has a status and a webhook of its own for a video that expires', async () => {
    const error = { code: 'expired', message: 'The generation took too long.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const receiver = await startReceiver()
    const order = { model: 'x/y', prompt: 'x', callback_url: receiver.url }
    const { id } = (await post('/api/v1/videos', order)).body
    await sim.clock.advance('1m')
    const expired = { id, status: 'expired', error: error.message }
    expect((await get(`/api/v1/videos/${id}`)).body).toMatchObject(expired)
    expect(receiver.received[0]?.json).toMatchObject({ type: 'video.generation.expired', data: expired })
  })

  it.each([
    ['the scenario', {}, 'whsec_b3du'],
    ['the option', { webhookSecret: 'whsec_b3B0aW9u' }, 'whsec_b3B0aW9u'],
  ])('signs with the secret of %s, and then with the previous one', async (_, option, secret) => {
    const scenario = defineScenario({
      dialects: { openrouter: { secret: 'whsec_b3du', previous_secret: 'whsec_b2xk' } },
      webhooks: { faults: [{ when: { nth: 2 }, then: 'previous_secret' }] },
    })
    const { sim, post } = await open({ scenario, ...option })
    const receiver = await startReceiver()
    for (const prompt of ['one', 'two']) {
      await post('/api/v1/videos', { model: 'x/y', prompt, callback_url: receiver.url })
      await sim.clock.advance('1m')
    }
    const signed = receiver.received.map(({ headers, body }) => {
      const [, time, signature] = SIGNATURE.exec(String(headers['x-openrouter-signature'])) ?? []
      return [secret, 'whsec_b2xk'].find((key) => signature === signPayload(`${time},${body}`, key))
    })
    expect(signed).toEqual([secret, 'whsec_b2xk'])
  })
})

const SIGNATURE = /^t=(\d+),v1=([0-9a-f]{64})$/
const SECRET = 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA=='
