import { createAlibaba } from '@ai-sdk/alibaba'
import { experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectVideo } from './media.js'

const DASHSCOPE = {
  name: 'dashscope',
  client: '@ai-sdk/alibaba',
  baseUrl: 'https://dashscope-intl.aliyuncs.com',
  path: '/dashscope',
}

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const alibaba = createAlibaba({ videoBaseURL: baseUrl, apiKey: 'any-key' })
  return { ...service, order: { model: alibaba.video('wan2.6-t2v'), prompt: 'a fox', duration: 5 } }
}

describeClient(DASHSCOPE, (open) => {
  it('polls a video until its end', async () => {
    const { order } = await start(open)
    expectVideo((await generateVideo(order)).video)
  })

  it('rejects with the reason of a failure', async () => {
    const error = { code: 'generation_failed', message: 'No capacity.' }
    const { order } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    await expect(generateVideo(order)).rejects.toThrow('No capacity.')
  })

  it('rejects with the message of a rejected request', async () => {
    const { order } = await start(open, { auth: { keys: ['another-key'] } })
    await expect(generateVideo(order)).rejects.toMatchObject({
      statusCode: 401,
      message: expect.stringContaining('key'),
    })
  })
})
