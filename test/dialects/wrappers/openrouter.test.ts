import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectVideo } from './media.js'

const OPENROUTER = {
  name: 'openrouter',
  client: '@openrouter/ai-sdk-provider',
  baseUrl: 'https://openrouter.ai/api/v1',
  path: '/openrouter/api/v1',
}
const FAILURE = { code: 'content_policy', message: 'The prompt was rejected.' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl } = await open(...scenario)
  const openrouter = createOpenRouter({ baseURL: baseUrl, apiKey: 'any-key' })
  return { model: openrouter.videoModel('google/veo-3.1'), prompt: 'a fox' }
}

/** The URL of a video of OpenRouter needs the key, which the AI SDK does not send. */
async function download({ url }: { readonly url: URL }) {
  const response = await fetch(url, { headers: { authorization: 'Bearer any-key' } })
  expect(response.status).toBe(200)
  return { data: new Uint8Array(await response.arrayBuffer()), mediaType: undefined }
}

describeClient(OPENROUTER, (open) => {
  it('polls a video until its end, and downloads it with the key', async () => {
    expectVideo((await generateVideo({ ...(await start(open)), download })).video)
  })

  it('rejects with the reason of a failure', async () => {
    const order = await start(open, { rules: [{ then: { outcome: 'failed', error: FAILURE } }] })
    await expect(generateVideo(order)).rejects.toThrow(FAILURE.message)
  })
})
