import { createFal } from '@ai-sdk/fal'
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

const FAL = { name: 'fal', client: '@ai-sdk/fal', baseUrl: 'https://fal.run', path: '/fal/run' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const isReal = baseUrl === FAL.baseUrl
  const fal = createFal({ apiKey: 'any-key', ...(!isReal && { fetch: toServer(new URL(baseUrl).origin) }) })
  return { ...service, fal }
}

/** The provider has fixed hosts. */
function toServer(origin: string): typeof fetch {
  return (url, init) => {
    const target = String(url)
      .replace('https://queue.fal.run', `${origin}/fal/queue`)
      .replace('https://fal.run', `${origin}/fal/run`)
    return fetch(target, init)
  }
}

describeClient(FAL, (open) => {
  it('generates an image in one request that the server holds', async () => {
    const { sim, fal } = await start(open)
    const model = fal.image('fal-ai/flux/dev')
    expectImage((await advanceUntilDone(sim, generateImage({ model, prompt: 'a fox' }))).image)
  })

  it('generates an image at a base URL', async () => {
    const { sim, baseUrl } = await open()
    const model = createFal({ apiKey: 'any-key', baseURL: baseUrl }).image('fal-ai/flux/dev')
    expectImage((await advanceUntilDone(sim, generateImage({ model, prompt: 'a fox' }))).image)
  })

  it('polls the result of a video until it is there', async () => {
    const { sim, fal, requests } = await start(open)
    const model = fal.video('fal-ai/luma-dream-machine/ray-2')
    expectVideo((await generateVideo({ model, prompt: 'a fox' })).video)
    expect(await sim.findings()).toEqual([])
    expect(requests.filter(({ operation }) => operation === 'tasks.result').length).toBeGreaterThan(1)
  })

  it('polls a transcript until it is there', async () => {
    const { fal } = await start(open)
    const { text } = await transcribe({ model: fal.transcription('wizper'), audio: new Uint8Array(64) })
    expect(text).toMatch(/\w+ \w+/)
  })

  it('generates speech in one request that the server holds', async () => {
    const { sim, fal } = await start(open)
    const model = fal.speech('fal-ai/minimax/speech-02-hd')
    expectSpeech((await advanceUntilDone(sim, generateSpeech({ model, text: 'a fox' }))).audio)
  })

  it('rejects if a video fails', async () => {
    const { fal } = await start(open, { rules: [{ then: { outcome: 'failed' } }] })
    const model = fal.video('fal-ai/luma-dream-machine/ray-2')
    await expect(generateVideo({ model, prompt: 'a fox' })).rejects.toThrow()
  })
})
