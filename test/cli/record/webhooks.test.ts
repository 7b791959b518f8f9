import { expect, it } from 'vitest'
import { WebhookAddresses } from '../../../src/cli/record/webhooks/webhook-addresses.js'
import { verifySignature } from '../../../src/index.js'
import { startReceiver } from '../../http/receiver.js'
import { call, startSimulated, until } from './service.js'
import { startTunneled } from './start-recorder.js'

const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const SECRET = 'whsec_local_signing_secret'

it('the recorder forwards a webhook unchanged, so that its signature is valid', async () => {
  const { sim, origin: service } = await startSimulated({ defaults: { delay: '0s' } })
  const { origin, recorder, recorded } = await startTunneled('tasks', service)
  const { url, received } = await startReceiver()
  const hook = `${url}?user=1`
  const { json } = await call(origin, '/api/v1/tasks', { ...ORDER, webhook_url: hook })
  expect((await sim.tasks.get(json.id))?.webhookUrl).toMatch(
    /^http:\/\/localhost:\d+\/_sim\/webhooks\/[\w-]{40,}$/,
  )
  await until(() => (recorder.tally.webhooks > 0 ? true : undefined))
  const [webhook] = received
  const signature = String(webhook?.headers['x-service-signature'])
  expect(verifySignature(webhook?.body ?? '', signature, SECRET)).toBe(true)
  const { webhooks, exchanges } = await recorded()
  expect(webhooks).toEqual([
    expect.objectContaining({
      request: expect.objectContaining({ method: 'POST' }),
      response: { status: 204 },
    }),
  ])
  expect(JSON.stringify(exchanges)).not.toContain('_sim/webhooks')
})

it('the recorder shows the client the URL of its own receiver', async () => {
  const { origin: service } = await startSimulated()
  const { origin } = await startTunneled('replicate', `${service}/replicate`)
  const { json } = await call(origin, '/replicate/v1/models/acme/image-1/predictions', {
    input: { prompt: 'x' },
    webhook: 'https://app.example/hook?user=1',
  })
  expect(json.webhook).toBe('https://app.example/hook?user=1')
})

it.each([
  ['fal', '/fal/queue/fal-ai/flux/dev?fal_webhook=https%3A%2F%2Fapp.example%2Fhook', 'Key', { prompt: 'x' }],
  [
    'luma',
    '/luma/dream-machine/v1/generations/image',
    'Bearer',
    { model: 'photon-1', prompt: 'x', callback_url: 'https://app.example/hook' },
  ],
])('the recorder finds the URL of the receiver in a request to %s', async (name, path, scheme, body) => {
  const { sim, origin: service } = await startSimulated()
  const receivers: (string | undefined)[] = []
  sim.on('task.created', ({ webhookUrl }) => void receivers.push(webhookUrl))
  const { origin } = await startTunneled(name, `${service}/${name}`)
  const { status } = await call(origin, path, body, scheme)
  expect(Math.floor(status / 100)).toBe(2)
  expect(receivers).toEqual([expect.stringContaining('/_sim/webhooks/')])
})

it('the recorder tells the service if the receiver is not reachable', async () => {
  const { origin: service } = await startSimulated()
  const { origin, recorder } = await startTunneled('tasks', service)
  const publicUrl = new WebhookAddresses(origin, recorder.file.header.salt).publicUrlOf('http://127.0.0.1:1/')
  const { status } = await fetch(String(publicUrl), { method: 'POST', body: '{}' })
  expect(status).toBe(502)
})

it('the recorder forwards to receivers of an earlier run for the same recording, and to no others', () => {
  const addresses = new WebhookAddresses('https://x.example/', 'salt')
  const path = new URL(addresses.publicUrlOf('https://app.example/hook?a=1') ?? '').pathname
  expect(new WebhookAddresses('https://y.example', 'salt').receiverOf(path)).toBe(
    'https://app.example/hook?a=1',
  )
  expect(new WebhookAddresses('https://x.example', 'other').receiverOf(path)).toBeUndefined()
  expect(addresses.receiverOf(`${path}a`)).toBeUndefined()
  expect(addresses.receiverOf('/_sim/webhooks/trigger')).toBeUndefined()
})
