import { createByteDance } from '@ai-sdk/bytedance'
import { experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectVideo } from './media.js'

const ARK = {
  name: 'ark',
  client: '@ai-sdk/bytedance',
  baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  path: '/ark/api/v3',
}

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const ark = createByteDance({ baseURL: baseUrl, apiKey: 'any-key' })
  return { ...service, order: { model: ark.video('seedance-1-0-pro-250528'), prompt: 'a fox', duration: 5 } }
}

describeClient(ARK, (open) => {
  it('polls a video until its end', async () => {
    const { order, requests } = await start(open)
    expectVideo((await generateVideo(order)).video)
    expect(requests.filter(({ operation }) => operation === 'tasks.retrieve').length).toBeGreaterThan(2)
  })

  it('rejects if the video fails', async () => {
    const { order } = await start(open, { rules: [{ then: { outcome: 'failed' } }] })
    await expect(generateVideo(order)).rejects.toThrow('Video generation failed')
  })

  it('rejects with the message of a rejected request', async () => {
    const { order } = await start(open, { auth: { keys: ['another-key'] } })
    await expect(generateVideo(order)).rejects.toMatchObject({
      statusCode: 401,
      message: expect.stringContaining('Request ID: '),
    })
  })
})
