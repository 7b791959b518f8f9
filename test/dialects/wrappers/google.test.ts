import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { experimental_generateVideo as generateVideo } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'
import { expectVideo } from './media.js'

const GOOGLE = {
  name: 'google',
  client: '@ai-sdk/google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  path: '/google/v1beta',
}
const FAILURE = { code: 'internal_error', message: 'Try again.' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl } = await open(...scenario)
  const google = createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: 'any-key' })
  return { model: google.video('veo-3.1-generate-preview'), prompt: 'a fox' }
}

describeClient(GOOGLE, (open) => {
  it('polls a video until its end', async () => {
    expectVideo((await generateVideo(await start(open))).video)
  })

  it('rejects with the reason of a failure', async () => {
    const order = await start(open, { rules: [{ then: { outcome: 'failed', error: FAILURE } }] })
    await expect(generateVideo(order)).rejects.toThrow(`Video generation failed: ${FAILURE.message}`)
  })
})
