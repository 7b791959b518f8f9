import { createRunpod } from '@runpod/ai-sdk-provider'
import {
  generateImage,
  experimental_generateSpeech as generateSpeech,
  experimental_generateVideo as generateVideo,
  experimental_transcribe as transcribe,
} from 'ai'
import { expect, it } from 'vitest'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import { describeClient, type Open } from '../describe-client.js'
import { expectImage, expectSpeech, expectVideo } from './media.js'

const RUNPOD = {
  name: 'runpod',
  client: '@runpod/ai-sdk-provider',
  baseUrl: 'https://api.runpod.ai/v2',
  path: '/runpod/v2',
}

/** A model can be the URL of an endpoint. */
async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, sim } = await open(...scenario)
  return { sim, baseUrl, runpod: createRunpod({ apiKey: 'any-key' }) }
}

describeClient(RUNPOD, (open) => {
  it('generates an image in one request that the server holds', async () => {
    const { sim, runpod, baseUrl } = await start(open)
    const model = runpod.image(`${baseUrl}/qwen-image-t2i`)
    const { image, providerMetadata } = await advanceUntilDone(
      sim,
      generateImage({ model, prompt: 'a fox', size: '1328x1328' }),
    )
    expectImage(image)
    expect(providerMetadata['runpod']).toMatchObject({ images: [{ cost: expect.any(Number) }] })
  })

  it('polls a video until its end', async () => {
    const { runpod, baseUrl } = await start(open)
    const model = runpod.video(`${baseUrl}/sora-2-i2v-video`)
    expectVideo((await generateVideo({ model, prompt: 'a fox' })).video)
  })

  it('polls a transcript until its end', async () => {
    const { runpod, baseUrl } = await start(open)
    const model = runpod.transcription(`${baseUrl}/whisper-v3-large`)
    expect((await transcribe({ model, audio: new Uint8Array(64) })).text).toMatch(/\w+ \w+/)
  })

  it('generates speech in one request that the server holds', async () => {
    const { sim, runpod, baseUrl } = await start(open)
    const model = runpod.speech(`${baseUrl}/chatterbox-turbo`)
    expectSpeech((await advanceUntilDone(sim, generateSpeech({ model, text: 'a fox' }))).audio)
  })

  it('rejects with the reason of a failure', async () => {
    const error = { code: 'oom', message: 'Out of memory.' }
    const { runpod, baseUrl } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const model = runpod.video(`${baseUrl}/wan-2-6-t2v`)
    await expect(generateVideo({ model, prompt: 'a fox' })).rejects.toThrow(error.message)
  })
})
