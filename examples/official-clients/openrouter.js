import { OpenRouter } from '@openrouter/sdk'

const client = new OpenRouter({
  serverURL: process.env.OPENROUTER_BASE_URL,
  apiKey: process.env.OPENROUTER_API_KEY,
})

let job = await client.videoGeneration.generate({
  videoGenerationRequest: { model: 'google/veo-3.1', prompt: 'A golden retriever on a beach' },
})
while (job.status === 'pending' || job.status === 'in_progress') {
  await new Promise((resolve) => setTimeout(resolve, 3000))
  job = await client.videoGeneration.getGeneration({ jobId: job.id })
}
if (job.status !== 'completed') throw new Error(job.error)
let bytes = 0
for await (const chunk of await client.videoGeneration.getVideoContent({ jobId: job.id }))
  bytes += chunk.length
process.stdout.write(`${job.status} ${bytes} bytes\n`)
