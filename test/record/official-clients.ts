import { setTimeout as sleep } from 'node:timers/promises'
import { createFalClient } from '@fal-ai/client'
import { GoogleGenAI } from '@google/genai'
import { OpenRouter } from '@openrouter/sdk'
import RunwayML from '@runwayml/sdk'
import { AssemblyAI } from 'assemblyai'
import LumaAI from 'lumaai'
import OpenAI from 'openai'
import Replicate from 'replicate'
import runpodSdk from 'runpod-sdk'
import { RobustClient } from '../support/robust-client.js'

/**
 * Uses a service as its documentation shows, and returns what it gets, or the error.
 * @param origin that of a server of tasksim, or of a proxy
 */
type UseService = (origin: string, prompt: string, key: string) => Promise<unknown>

/** A task of each service, with its official client, by the dialect. */
export const OFFICIAL_CLIENTS: Readonly<Record<string, UseService>> = {
  tasks(origin, prompt, key) {
    const send = (path: string, init?: RequestInit) => fetch(origin + path, init)
    const client = new RobustClient({ send, sleep, now: Date.now }, { key })
    return client.generate({ model: 'acme/image-1', input: { prompt } })
  },
  fal(origin, prompt, credentials) {
    const proxyUrl = { url: `${origin}/fal/proxy`, when: 'always' as const }
    const fal = createFalClient({ fetch: globalThis.fetch, credentials, proxyUrl })
    return fal.subscribe('fal-ai/flux/dev', { input: { prompt }, logs: true })
  },
  async luma(origin, prompt, authToken) {
    const { generations } = new LumaAI({ baseURL: `${origin}/luma/dream-machine/v1`, authToken })
    const { id = '' } = await generations.image.create({ model: 'photon-1', prompt })
    return whenEnded(
      () => generations.get(id),
      ({ state }) => state === 'completed' || state === 'failed',
      3_000,
    )
  },
  runway(origin, promptText, apiKey) {
    const runway = new RunwayML({ baseURL: `${origin}/runway`, apiKey })
    return runway.textToImage
      .create({ model: 'gen4_image', promptText, ratio: '1280:720' })
      .waitForTaskOutput()
  },
  async openrouter(origin, prompt, apiKey) {
    const { videoGeneration } = new OpenRouter({ serverURL: `${origin}/openrouter/api/v1`, apiKey })
    const { id: jobId } = await videoGeneration.generate({
      videoGenerationRequest: { model: 'google/veo-3.1', prompt },
    })
    const ended = await whenEnded(
      () => videoGeneration.getGeneration({ jobId }),
      ({ status }) => status === 'completed' || status === 'failed',
      3_000,
    )
    if (ended.status === 'completed')
      await new Response(await videoGeneration.getVideoContent({ jobId })).arrayBuffer()
    return ended
  },
  async openai(origin, input, apiKey) {
    const { responses } = new OpenAI({ baseURL: `${origin}/openai/v1`, apiKey })
    const { id } = await responses.create({ model: 'o3', input, background: true })
    const ended = await whenEnded(
      () => responses.retrieve(id),
      ({ status }) => status !== 'queued' && status !== 'in_progress',
      2_000,
    )
    let text = ''
    const stream = await responses.create({ model: 'gpt-5.4-mini', input, stream: true })
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta
    return [ended, text]
  },
  async google(origin, prompt, apiKey) {
    const ai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${origin}/google` } })
    const model = 'veo-3.1-generate-preview'
    let operation = await ai.models.generateVideos({ model, source: { prompt } })
    operation = await whenEnded(
      () => ai.operations.getVideosOperation({ operation }),
      ({ done }) => done === true,
      10_000,
    )
    return operation
  },
  assemblyai(origin, prompt, apiKey) {
    const { transcripts } = new AssemblyAI({ baseUrl: `${origin}/assemblyai`, apiKey })
    const audio = `https://audio.example/${encodeURIComponent(prompt)}.mp3`
    return transcripts.transcribe({ audio, speech_models: ['universal-3-pro'] })
  },
  async replicate(origin, prompt, auth) {
    const replicate = new Replicate({ baseUrl: `${origin}/replicate/v1`, auth })
    const created = await replicate.predictions.create({
      model: 'black-forest-labs/flux-schnell',
      input: { prompt },
    })
    const ended = await replicate.wait(created, { interval: 500 })
    return [ended, (await replicate.predictions.list()).results.length]
  },
  async runpod(origin, prompt, key) {
    const endpoint = runpodSdk(key, { baseUrl: `${origin}/runpod/v2` }).endpoint('flux-image')
    const { id = '' } = (await endpoint?.run({ input: { prompt } })) ?? {}
    const ended = await whenEnded(
      async () => endpoint?.status(id),
      (job) => ['COMPLETED', 'FAILED'].includes(String(job?.status)),
      1_000,
    )
    return [ended, await endpoint?.runSync({ input: { prompt, seed: 1 } })]
  },
}

async function whenEnded<State>(
  poll: () => Promise<State>,
  isEnded: (state: State) => boolean,
  interval: number,
): Promise<State> {
  for (;;) {
    await sleep(interval)
    const state = await poll()
    if (isEnded(state)) return state
  }
}
