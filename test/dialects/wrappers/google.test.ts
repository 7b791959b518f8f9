import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { generateText, experimental_generateVideo as generateVideo, streamText } from 'ai'
import { expect, it } from 'vitest'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import { describeClient, type Open } from '../describe-client.js'
import { expectVideo } from './media.js'

const GOOGLE = {
  name: 'google',
  client: '@ai-sdk/google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  path: '/google/v1beta',
}
const FAILURE = { code: 'internal_error', message: 'Try again.' }

async function connect(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, sim } = await open(...scenario)
  return { sim, google: createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: 'any-key' }) }
}

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { google } = await connect(open, ...scenario)
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
  it('generates the text of an interaction, at once or as a stream', async () => {
    const { sim, google } = await connect(open, { defaults: { reply: { text: 'The sea is wide.' } } })
    const order = { model: google.interactions('gemini-3-pro-preview'), prompt: 'Write about the sea.' }
    const { text, usage } = await advanceUntilDone(sim, generateText(order))
    expect([text, Number(usage.outputTokens) > 0]).toEqual(['The sea is wide.', true])
    const read = async () => {
      const pieces: string[] = []
      for await (const piece of streamText(order).textStream) pieces.push(piece)
      return pieces
    }
    expect(await advanceUntilDone(sim, read())).toEqual(['The', ' sea', ' is', ' wide.'])
  })

  it('polls an interaction in the background, whose output is a video', async () => {
    const { sim, google } = await connect(open)
    const order = { model: google.interactions('gemini-omni-1.2-flash'), prompt: 'a fox' }
    const providerOptions = { google: { background: true } }
    const { files } = await advanceUntilDone(sim, generateText({ ...order, providerOptions }))
    expectVideo(files[0] ?? expect.unreachable())
  })
})
