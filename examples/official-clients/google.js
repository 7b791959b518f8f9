import { setTimeout as sleep } from 'node:timers/promises'
import { GoogleGenAI } from '@google/genai'

// Reads GOOGLE_GEMINI_BASE_URL and GEMINI_API_KEY.
const ai = new GoogleGenAI({})

let operation = await ai.models.generateVideos({
  model: 'veo-3.1-generate-preview',
  source: { prompt: 'Waves at the foot of a lighthouse.' },
})
while (!operation.done) {
  await sleep(10_000)
  operation = await ai.operations.getVideosOperation({ operation })
}
const video = operation.response?.generatedVideos?.[0]
if (video === undefined) throw new Error(operation.error?.message ?? 'The video was filtered.')
await ai.files.download({ file: video, downloadPath: 'waves.mp4' })
process.stdout.write(`${video.video.uri}\n`)
