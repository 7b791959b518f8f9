import { setTimeout as sleep } from 'node:timers/promises'
import { GoogleGenAI } from '@google/genai'

// Reads GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_VERTEX_BASE_URL and GOOGLE_API_KEY.
const ai = new GoogleGenAI({})

let operation = await ai.models.generateVideos({
  model: 'veo-3.1-generate-001',
  source: { prompt: 'Waves at the foot of a lighthouse.' },
})
while (!operation.done) {
  await sleep(10_000)
  operation = await ai.operations.getVideosOperation({ operation })
}
const { video } = operation.response?.generatedVideos?.[0] ?? {}
if (video === undefined) throw new Error(operation.error?.message ?? 'The video was filtered.')
process.stdout.write(`${Buffer.from(video.videoBytes, 'base64').length} bytes of ${video.mimeType}\n`)
