import { createReplicate } from '@ai-sdk/replicate'
import { generateImage, experimental_generateVideo as generateVideo } from 'ai'

// Reads REPLICATE_API_TOKEN. The URL is http://127.0.0.1:4010/replicate/v1 or that of `tasksim exec`.
const replicate = createReplicate({ baseURL: process.env.TASKSIM_URL })

const prompt = 'a fox in the snow'
const { image } = await generateImage({ model: replicate.image('black-forest-labs/flux-schnell'), prompt })
const { video } = await generateVideo({ model: replicate.video('minimax/video-01'), prompt })
for (const { mediaType, uint8Array } of [image, video])
  process.stdout.write(`${mediaType}: ${uint8Array.length} bytes\n`)
