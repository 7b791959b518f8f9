import { verifySignature } from 'tasksim'
import { type Check, expectEqual } from '../../support/check.js'
import { create } from './client.js'
import { mockApi } from './mocked-api.js'

const SECRET = 'whsec_local_signing_secret'

export const webhookChecks: readonly Check[] = [
  {
    title: 'a function that receives webhooks gets one with a signature that verifySignature accepts',
    async run() {
      const seen: unknown[] = []
      const sim = mockApi({
        receivers: [
          async (request) => {
            const body = await request.text()
            const signature = request.headers.get('x-service-signature')
            const verdicts = [SECRET, 'wrong'].map((secret) => verifySignature(body, signature, secret))
            seen.push([JSON.parse(body).event, ...(await Promise.all(verdicts))])
            return new Response(null, { status: 204 })
          },
        ],
      })
      await create('acme/image-1', { prompt: 'a lighthouse' })
      await sim.clock.advance('2s')
      expectEqual('what the receiver saw', seen, [['task.succeeded', true, false]])
    },
  },
  {
    title: 'a server gets webhooks from the page by fetch',
    async run() {
      const sim = mockApi()
      const statuses: unknown[] = []
      sim.on('delivery.attempted', (_, { status }) => statuses.push(status))
      await create('acme/image-1', { prompt: 'a lighthouse' }, { webhook_url: `${location.origin}/hook` })
      await sim.clock.advance('2s')
      expectEqual('the statuses of the attempts', statuses, [202])
    },
  },
]

declare const location: { readonly origin: string }
