import { setTimeout as sleep } from 'node:timers/promises'
import { createReplicate } from '@ai-sdk/replicate'
import { createFalClient } from '@fal-ai/client'
import { GoogleGenAI } from '@google/genai'
import { OpenRouter } from '@openrouter/sdk'
import RunwayML from '@runwayml/sdk'
import { generateImage } from 'ai'
import { AssemblyAI } from 'assemblyai'
import LumaAI from 'lumaai'
import OpenAI from 'openai'
import Replicate from 'replicate'
import runpodSdk from 'runpod-sdk'

/** What a program does with an official client, as the documentation of the client shows it. */
export interface Flow {
  /** The name of the package. */
  readonly client: string
  readonly dialect: string
  run(): Promise<unknown>
}

const DELAY = 3_000

/** A flow for each official client. The code is part of the page about them. */
export const FLOWS: readonly Flow[] = [
  {
    client: 'openai',
    dialect: 'openai',
    async run() {
      const client = new OpenAI({ apiKey: 'key' })
      let video = await client.videos.create({ model: 'sora-2', prompt: 'a fox' })
      while (video.status === 'queued' || video.status === 'in_progress') {
        await sleep(10_000)
        video = await client.videos.retrieve(video.id)
      }
      if (video.status === 'failed') throw new Error(video.error?.message)
      return (await client.videos.downloadContent(video.id)).arrayBuffer()
    },
  },
  {
    client: 'replicate',
    dialect: 'replicate',
    async run() {
      const client = new Replicate({ auth: 'key', useFileOutput: false })
      const wait = { mode: 'poll', interval: 1_000 } as const
      const [url] = (await client.run('acme/image-1', { input: { prompt: 'a fox' }, wait })) as string[]
      return download(url)
    },
  },
  {
    client: '@fal-ai/client',
    dialect: 'fal',
    async run() {
      const client = createFalClient({ credentials: 'key', fetch: globalThis.fetch })
      const { data } = await client.subscribe('fal-ai/flux/dev', {
        input: { prompt: 'a fox' },
        pollInterval: 1_000,
      })
      return download(data.images[0]?.url)
    },
  },
  {
    client: '@runwayml/sdk',
    dialect: 'runway',
    async run() {
      const client = new RunwayML({ apiKey: 'key' })
      const { output } = await client.textToImage
        .create({ model: 'gen4_image', promptText: 'a fox', ratio: '1024:1024' })
        .waitForTaskOutput()
      return download(output[0])
    },
  },
  {
    client: '@google/genai',
    dialect: 'google',
    async run() {
      const ai = new GoogleGenAI({ apiKey: 'key' })
      const model = 'gemini-omni-1.2-flash'
      let interaction = await ai.interactions.create({ model, input: 'a fox', background: true })
      while (interaction.status === 'in_progress') {
        await sleep(5_000)
        interaction = await ai.interactions.get(interaction.id)
      }
      if (interaction.output_video?.data === undefined) throw new Error(`No video: ${interaction.status}`)
      return interaction.output_video.data
    },
  },
  {
    client: 'assemblyai',
    dialect: 'assemblyai',
    async run() {
      const client = new AssemblyAI({ apiKey: 'key' })
      const transcript = await client.transcripts.transcribe({ audio: 'https://example.com/talk.mp3' })
      if (transcript.status === 'error') throw new Error(transcript.error)
      return transcript.text
    },
  },
  {
    client: 'lumaai',
    dialect: 'luma',
    async run() {
      const client = new LumaAI({ authToken: 'key' })
      let generation = await client.generations.image.create({ model: 'photon-1', prompt: 'a fox' })
      while (generation.state !== 'completed') {
        if (generation.state === 'failed') throw new Error(generation.failure_reason)
        await sleep(DELAY)
        generation = await client.generations.get(String(generation.id))
      }
      return download(generation.assets?.image)
    },
  },
  {
    client: '@openrouter/sdk',
    dialect: 'openrouter',
    async run() {
      const client = new OpenRouter({ apiKey: 'key' })
      const request = { model: 'google/veo-3.1', prompt: 'a fox' }
      let job = await client.videoGeneration.generate({ videoGenerationRequest: request })
      while (job.status === 'pending' || job.status === 'in_progress') {
        await sleep(DELAY)
        job = await client.videoGeneration.getGeneration({ jobId: job.id })
      }
      if (job.status !== 'completed') throw new Error(job.error)
      return new Response(await client.videoGeneration.getVideoContent({ jobId: job.id })).arrayBuffer()
    },
  },
  {
    client: 'runpod-sdk',
    dialect: 'runpod',
    async run() {
      const endpoint = runpodSdk('key').endpoint('flux-image')
      const job = await endpoint?.runSync({ input: { prompt: 'a fox' } })
      if (job?.status !== 'COMPLETED') throw new Error(job?.status)
      return download(job.output?.images[0])
    },
  },
  {
    client: '@ai-sdk/replicate',
    dialect: 'replicate',
    async run() {
      const replicate = createReplicate({ apiToken: 'key' })
      return generateImage({ model: replicate.image('black-forest-labs/flux-schnell'), prompt: 'a fox' })
    },
  },
]

async function download(url: string | undefined): Promise<ArrayBuffer> {
  if (url === undefined) throw new Error('The output has no file.')
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The download has failed with ${response.status}.`)
  return response.arrayBuffer()
}
