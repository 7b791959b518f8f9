import { createAssemblyAI } from '@ai-sdk/assemblyai'
import { experimental_transcribe as transcribe } from 'ai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from '../describe-client.js'

const HOST = 'https://api.assemblyai.com'
const ASSEMBLYAI = { name: 'assemblyai', client: '@ai-sdk/assemblyai', baseUrl: HOST, path: '/assemblyai' }

/** The provider always calls the host of the service, so `fetch` replaces it. */
async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl } = await open(...scenario)
  const assemblyai = createAssemblyAI({
    apiKey: 'any-key',
    fetch: (url, init) => fetch(String(url).replace(HOST, baseUrl), init),
  })
  return { model: assemblyai.transcription('universal-3-5-pro'), audio: new Uint8Array(64) }
}

describeClient(ASSEMBLYAI, (open) => {
  it('uploads a sound, and polls its transcript until the end', async () => {
    const { text, segments, durationInSeconds } = await transcribe(await start(open))
    expect(text).toMatch(/\w+ \w+/)
    expect(segments[0]?.endSecond).toBeGreaterThan(segments[0]?.startSecond ?? Infinity)
    expect(durationInSeconds).toBeGreaterThan(0)
  })

  it('rejects with the reason of a failure', async () => {
    const error = { code: 'unreadable', message: 'The file has no sound.' }
    const order = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    await expect(transcribe(order)).rejects.toThrow(error.message)
  })
})
