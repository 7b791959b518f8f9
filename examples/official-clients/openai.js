import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'

// Reads OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_WEBHOOK_SECRET.
const openai = new OpenAI()

// The webhook of the project; in tasksim, the option --webhook.
const events = []
const receiver = createServer(async (request, reply) => {
  try {
    events.push(await openai.webhooks.unwrap(await text(request), request.headers))
    reply.writeHead(204).end()
  } catch {
    reply.writeHead(400).end()
  }
}).listen(8090, '127.0.0.1')

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

while (events.length === 0) await sleep(100)
process.stdout.write(`verified webhook: ${events[0].type}\n`)
receiver.close()
