import Replicate from 'replicate'

// Reads REPLICATE_API_TOKEN.
const replicate = new Replicate({ baseUrl: process.env.TASKSIM_URL })

const [image] = await replicate.run('black-forest-labs/flux-schnell', {
  input: { prompt: 'An astronaut riding a rainbow unicorn' },
})
const { status, headers } = await fetch(String(image))
process.stdout.write(`${status} ${headers.get('content-type')}\n`)
