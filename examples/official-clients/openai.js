import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'

// Reads OPENAI_BASE_URL and OPENAI_API_KEY.
const openai = new OpenAI()

let response = await openai.responses.create({
  model: 'o3',
  input: 'Write a very long novel about otters in space.',
  background: true,
})
while (response.status === 'queued' || response.status === 'in_progress') {
  await sleep(2_000)
  response = await openai.responses.retrieve(response.id)
}
process.stdout.write(`${response.status} ${response.output_text}\n`)
