import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { GoogleGenAI } from '@google/genai'

// Reads GOOGLE_GEMINI_BASE_URL and GEMINI_API_KEY.
const ai = new GoogleGenAI({})

const events = []
const receiver = createServer(async (request, response) => {
  const body = await buffer(request)
  const isAccepted = isGenuine(request.headers, body)
  response.writeHead(isAccepted ? 204 : 401).end()
  if (isAccepted) events.push(JSON.parse(body))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { new_signing_secret: secret } = await ai.webhooks.create({
  uri: `http://127.0.0.1:${receiver.address().port}/`,
  subscribed_events: ['video.generated'],
})

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

const [event] = events
if (event === undefined) throw new Error('No genuine webhook has arrived.')
process.stdout.write(`verified webhook: ${event.type}\n`)
receiver.close()

/** Verifies a webhook as Standard Webhooks describes; the client has no function for this. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  const isRecent = Math.abs(Date.now() / 1_000 - Number(time)) < 300
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`,
  )
  const matches = (given) => given.length === expected.length && timingSafeEqual(given, expected)
  return isRecent && signatures.split(' ').some((each) => matches(Buffer.from(each)))
}
