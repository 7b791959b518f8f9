import { createHash, createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFalClient } from '@fal-ai/client'

const { TASKSIM_URL } = process.env
// Reads FAL_KEY.
const fal = createFalClient({ proxyUrl: { url: TASKSIM_URL, when: 'always' } })

// In production, the keys are at https://rest.fal.ai/.well-known/jwks.json.
const { keys } = await (await fetch(new URL('.well-known/jwks.json', TASKSIM_URL))).json()
const events = []
const receiver = createServer(async (request, response) => {
  const body = await buffer(request)
  const isAccepted = isGenuine(request.headers, body)
  response.writeHead(isAccepted ? 204 : 401).end()
  if (isAccepted) events.push(JSON.parse(body))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

const { data } = await fal.subscribe('fal-ai/flux/dev', {
  input: { prompt: 'An astronaut riding a rainbow unicorn' },
  webhookUrl: `http://127.0.0.1:${receiver.address().port}/`,
})
const { status, headers } = await fetch(data.images[0].url)
process.stdout.write(`${status} ${headers.get('content-type')}\n`)

while (events.length === 0) await sleep(100)
process.stdout.write(`verified webhook: ${events[0].status}\n`)
receiver.close()

/** Verifies a webhook as fal describes; the client has no function for this. */
function isGenuine(headers, body) {
  const [id, user, time, signature = ''] = ['request-id', 'user-id', 'timestamp', 'signature'].map(
    (name) => headers[`x-fal-webhook-${name}`],
  )
  const isRecent = Math.abs(Date.now() / 1_000 - Number(time)) < 300
  const hash = createHash('sha256').update(body).digest('hex')
  const signed = Buffer.from([id, user, time, hash].join('\n'))
  const isSignedBy = (jwk) =>
    verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature, 'hex'))
  return isRecent && keys.some(isSignedBy)
}
