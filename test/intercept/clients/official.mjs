/** Uses the official clients as their documentation shows, with uploads and streams. */
import { createFalClient } from '@fal-ai/client'
import { GoogleGenAI } from '@google/genai'
import { OpenRouter } from '@openrouter/sdk'
import RunwayML from '@runwayml/sdk'
import { AssemblyAI } from 'assemblyai'
import LumaAI from 'lumaai'
import OpenAI from 'openai'
import Replicate from 'replicate'
import runpodSdk from 'runpod-sdk'

const FILE = new Blob([new Uint8Array(300_000)], { type: 'image/png' })

const FLOWS = {
  async replicate() {
    const client = new Replicate({ useFileOutput: false })
    const wait = { mode: 'poll', interval: 50 }
    const [url] = await client.run('acme/image-1', { input: { prompt: 'a fox', image: FILE }, wait })
    return download(url)
  },
  async '@fal-ai/client'() {
    const client = createFalClient({ credentials: process.env.FAL_KEY })
    const input = { prompt: 'a fox', image_url: await client.storage.upload(FILE) }
    const { data } = await client.subscribe('fal-ai/flux/dev', { input, pollInterval: 50 })
    return download(data.images[0].url)
  },
  async openai() {
    const client = new OpenAI()
    let text = ''
    const events = await client.responses.create({ model: 'gpt-5', input: 'a fox', stream: true })
    for await (const event of events) if (event.type === 'response.output_text.delta') text += event.delta
    let video = await client.videos.create({ model: 'sora-2', prompt: 'a fox' })
    while (video.status !== 'completed') video = await client.videos.retrieve(video.id)
    return text === '' ? 0 : (await (await client.videos.downloadContent(video.id)).arrayBuffer()).byteLength
  },
  async '@google/genai'() {
    const ai = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY })
    const { uri } = await ai.files.upload({ file: FILE, config: { mimeType: 'image/png' } })
    if (!uri.startsWith('https://generativelanguage.googleapis.com/')) throw new Error(uri)
    let operation = await ai.models.generateVideos({
      model: 'veo-3.1-generate-preview',
      source: { prompt: 'a fox' },
    })
    while (!operation.done) operation = await ai.operations.getVideosOperation({ operation })
    return download(`${operation.response.generatedVideos[0].video.uri}&key=${process.env.GEMINI_API_KEY}`)
  },
  async '@runwayml/sdk'() {
    const client = new RunwayML()
    const { uri } = await client.uploads.createEphemeral({ file: new File([FILE], 'fox.png') })
    let task = await client.imageToVideo.create({ model: 'gen4_turbo', promptImage: uri, ratio: '1280:720' })
    while (task.status !== 'SUCCEEDED') task = await client.tasks.retrieve(task.id)
    return download(task.output[0])
  },
  async assemblyai() {
    const client = new AssemblyAI({ apiKey: process.env.ASSEMBLYAI_API_KEY })
    const audio = new Uint8Array(await FILE.arrayBuffer())
    return (await client.transcripts.transcribe({ audio }, { pollingInterval: 50 })).text.length
  },
  async lumaai() {
    const client = new LumaAI()
    let generation = await client.generations.image.create({ model: 'photon-1', prompt: 'a fox' })
    while (generation.state !== 'completed') generation = await client.generations.get(generation.id)
    return download(generation.assets.image)
  },
  async '@openrouter/sdk'() {
    const client = new OpenRouter({ apiKey: process.env.OPENROUTER_API_KEY })
    const request = { model: 'google/veo-3.1', prompt: 'a fox' }
    let job = await client.videoGeneration.generate({ videoGenerationRequest: request })
    while (job.status !== 'completed') job = await client.videoGeneration.getGeneration({ jobId: job.id })
    const content = await client.videoGeneration.getVideoContent({ jobId: job.id })
    return (await new Response(content).arrayBuffer()).byteLength
  },
  async 'runpod-sdk'() {
    const endpoint = runpodSdk(process.env.RUNPOD_API_KEY).endpoint('flux-image')
    return download((await endpoint.runSync({ input: { prompt: 'a fox' } })).output.images[0])
  },
}

for (const name of process.argv.slice(2))
  process.stdout.write(`${JSON.stringify([name, await outcome(name)])}
`)
process.exit()

async function outcome(name) {
  try {
    return (await FLOWS[name]()) > 20 ? 'ok' : 'no result'
  } catch (error) {
    return [error.message, error.cause?.message].filter(Boolean).join(': ')
  }
}

async function download(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The download of ${url} failed with ${response.status}.`)
  return (await response.arrayBuffer()).byteLength
}
