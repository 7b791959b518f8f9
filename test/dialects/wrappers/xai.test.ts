import { createXai } from '@ai-sdk/xai'
import { experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectVideo } from './media.js'

const XAI = { name: 'xai', client: '@ai-sdk/xai', baseUrl: 'https://api.x.ai/v1', path: '/xai/v1' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const xai = createXai({ baseURL: baseUrl, apiKey: 'any-key' })
  return { ...service, order: { model: xai.video('grok-imagine-video'), prompt: 'a fox', duration: 5 } }
}

describeClient(XAI, (open) => {
  it('polls a video until its end', async () => {
    const { order, requests } = await start(open, { defaults: { delay: '30s' } })
    expectVideo((await generateVideo(order)).video)
    expect(requests.map(({ status }) => status)).toContain(202)
  })

  it('rejects if the video fails', async () => {
    const { order } = await start(open, { rules: [{ then: { outcome: 'failed' } }] })
    await expect(generateVideo(order)).rejects.toThrow('Video generation failed')
  })

  it('rejects blocked content, which has ended as done', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { order } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    await expect(generateVideo(order)).rejects.toThrow('content policy')
  })

  it('rejects with the message of a rejected request', async () => {
    const { order } = await start(open, { auth: { keys: ['another-key'] } })
    await expect(generateVideo(order)).rejects.toMatchObject({ statusCode: 400 })
  })
})
