import { createHmac } from 'node:crypto'
import { OpenRouter } from '@openrouter/sdk'
import {
  NotFoundResponseError,
  PaymentRequiredResponseError,
  TooManyRequestsResponseError,
  UnauthorizedResponseError,
} from '@openrouter/sdk/models/errors'
import { expect, it } from 'vitest'
import { startReceiver, type TestReceiver } from '../http/receiver.js'
import { describeClient, type Open } from './describe-client.js'

const OPENROUTER = {
  name: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  path: '/openrouter/api/v1',
}

/** The default secret of all dialects but the main one. */
const SECRET = 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA=='

const VIDEO = { model: 'google/veo-3.1', prompt: 'waves at dawn', duration: 8 }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const { videoGeneration } = new OpenRouter({ serverURL: baseUrl, apiKey: 'openrouter-key' })
  const generate = (request: Partial<typeof VIDEO> & { callbackUrl?: string } = {}) =>
    videoGeneration.generate({ videoGenerationRequest: { ...VIDEO, ...request } })
  return { ...service, baseUrl, videoGeneration, generate }
}

/** Whether a webhook has the signature that the docs of the service describe. */
function isGenuine({ headers, body }: TestReceiver['received'][number]): boolean {
  const [, at, signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-openrouter-signature'])) ?? []
  return signature === createHmac('sha256', SECRET).update(`${at},${body}`).digest('hex')
}

describeClient(OPENROUTER, (open) => {
  it('generates a video, and passes the strict checks of the client', async () => {
    const { sim, videoGeneration, generate } = await start(open, {
      kinds: { video: { price: { per_task: 0.5 } } },
    })
    const { id: jobId, status, pollingUrl } = await generate()
    expect([status, pollingUrl.endsWith(`/videos/${jobId}`)]).toEqual(['pending', true])
    await sim.clock.advance('10s')
    const done = await videoGeneration.getGeneration({ jobId })
    expect(done).toMatchObject({
      status: 'completed',
      unsignedUrls: [expect.any(String)],
      usage: { cost: 0.5 },
    })
    const content = await videoGeneration.getVideoContent({ jobId })
    expect(Buffer.from(await new Response(content).arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
  })

  it('shows a job that waits for capacity as pending', async () => {
    const { sim, videoGeneration, generate } = await start(open, {
      capacity: { running: 1 },
      defaults: { delay: '1m' },
    })
    await generate()
    const { id: jobId } = await generate()
    await sim.clock.advance('1s')
    expect((await videoGeneration.getGeneration({ jobId })).status).toBe('pending')
  })

  it('reports a failure as a status with a message', async () => {
    const error = { code: 'moderation', message: 'The prompt was rejected.' }
    const { sim, videoGeneration, generate } = await start(open, {
      rules: [{ then: { outcome: 'failed', error } }],
    })
    const { id: jobId } = await generate()
    await sim.clock.advance('10s')
    const failed = await videoGeneration.getGeneration({ jobId })
    expect([failed.status, failed.error]).toEqual(['failed', error.message])
  })

  it('throws the errors that the client knows by their status', async () => {
    const { baseUrl, videoGeneration, generate } = await start(open, {
      auth: { keys: [{ key: 'openrouter-key', credits: 0 }] },
    })
    const stranger = new OpenRouter({ serverURL: baseUrl, apiKey: 'another-key' }).videoGeneration
    await expect(stranger.getGeneration({ jobId: 'x' })).rejects.toBeInstanceOf(UnauthorizedResponseError)
    await expect(videoGeneration.getGeneration({ jobId: 'x' })).rejects.toBeInstanceOf(NotFoundResponseError)
    await expect(generate()).rejects.toBeInstanceOf(PaymentRequiredResponseError)
  })

  it('is not retried by the client after a 429', async () => {
    const { generate, requests } = await start(open, { faults: [{ then: [429] }] })
    await expect(generate()).rejects.toBeInstanceOf(TooManyRequestsResponseError)
    expect(requests).toHaveLength(1)
  })

  it('is retried by the client after a 503, when Retry-After allows it', async () => {
    const { sim, generate, requests } = await start(open, {
      faults: [{ then: [{ status: 503, retry_after: '7s' }] }],
    })
    const before = sim.clock.now()
    expect((await generate()).status).toBe('pending')
    expect([requests.length, sim.clock.now() - before]).toEqual([2, 7_000])
  })

  it('posts a signed event to the callback URL', async () => {
    const { url, received } = await startReceiver()
    const { sim, generate } = await start(open)
    const { id } = await generate({ callbackUrl: url })
    await sim.clock.advance('10s')
    expect(received.map(({ json }) => json)).toMatchObject([
      {
        type: 'video.generation.completed',
        data: { id, status: 'completed', unsigned_urls: [expect.any(String)] },
      },
    ])
    expect(received.map((webhook) => isGenuine(webhook))).toEqual([true])
  })

  it('can post an event with a wrong signature', async () => {
    const { url, received } = await startReceiver()
    const { sim, generate } = await start(open, { webhooks: { faults: [{ then: ['wrong_signature'] }] } })
    await generate({ callbackUrl: url })
    await sim.clock.advance('10s')
    expect(received.map((webhook) => isGenuine(webhook))).toEqual([false])
  })
})
