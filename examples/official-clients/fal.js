import { createFalClient } from '@fal-ai/client'

// Reads FAL_KEY.
const fal = createFalClient({ proxyUrl: { url: process.env.TASKSIM_URL, when: 'always' } })

const { data } = await fal.subscribe('fal-ai/flux/dev', {
  input: { prompt: 'An astronaut riding a rainbow unicorn' },
})
const { status, headers } = await fetch(data.images[0].url)
process.stdout.write(`${status} ${headers.get('content-type')}\n`)
