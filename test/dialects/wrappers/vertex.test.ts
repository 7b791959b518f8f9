import { createVertex } from '@ai-sdk/google-vertex'
import { experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectVideo } from './media.js'

const VERTEX = {
  name: 'vertex',
  client: '@ai-sdk/google-vertex',
  baseUrl: 'https://aiplatform.googleapis.com/v1/publishers/google',
  path: '/vertex/v1/publishers/google',
}
const FAILURE = { code: 'internal_error', message: 'Try again.' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl } = await open(...scenario)
  const vertex = createVertex({ baseURL: baseUrl, apiKey: 'any-key' })
  return { model: vertex.video('veo-3.1-generate-001'), prompt: 'a fox' }
}

describeClient(VERTEX, (open) => {
  it('polls a video until its end', async () => {
    expectVideo((await generateVideo(await start(open))).video)
  })

  it('rejects with the reason of a failure', async () => {
    const order = await start(open, { rules: [{ then: { outcome: 'failed', error: FAILURE } }] })
    await expect(generateVideo(order)).rejects.toThrow(FAILURE.message)
  })
})
