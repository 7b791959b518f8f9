import { Leonardo } from '@leonardo-ai/sdk'

const client = new Leonardo({
  serverURL: process.env.TASKSIM_URL,
  bearerAuth: process.env.TASKSIM_API_KEY,
})

const { object } = await client.image.createGeneration({ prompt: 'A teddy bear in sunglasses', numImages: 1 })
const { generationId } = object.sdGenerationJob
let generation
do {
  await new Promise((resolve) => setTimeout(resolve, 2000))
  generation = (await client.image.getGenerationById(generationId)).object.generationsByPk
} while (generation.status === 'PENDING')
// The service does not say why.
if (generation.status === 'FAILED') throw new Error('The generation failed.')
const { status, headers } = await fetch(generation.generatedImages[0].url)
process.stdout.write(`${status} ${headers.get('content-type')}\n`)
