import LumaAI from 'lumaai'

// Reads LUMAAI_BASE_URL and LUMAAI_API_KEY.
const client = new LumaAI()

let generation = await client.generations.create({ model: 'ray-2', prompt: 'A teddy bear in sunglasses' })
while (generation.state !== 'completed') {
  if (generation.state === 'failed') throw new Error(generation.failure_reason)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  generation = await client.generations.get(generation.id)
}
const { status, headers } = await fetch(generation.assets.video)
process.stdout.write(`${status} ${headers.get('content-type')}\n`)
