import { createServer, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Dialect } from '../dialects/dialect.js'
import { type SignatureCheck, verifyWebhook } from '../engine/webhooks/signing/verify-webhook.js'
import { shippedScenario } from '../scenario/language/shipped.js'
import { type BodyFields, fieldsOfWebhook } from './body-fields.js'

/** A received webhook and its response. */
export interface Received extends BodyFields {
  readonly type: 'webhook'
  readonly signature: SignatureCheck
  /** The status of the response. */
  readonly status: number
  readonly body: string
}

interface ReceiverOptions {
  /** The format of the webhooks. */
  readonly dialect: Dialect
  /** The signing secret; that of the dialect if undefined. */
  readonly secret: string | undefined
  /** The statuses of the responses, in order; the last one repeats. */
  readonly statuses: readonly number[]
  readonly onReceived: (received: Received) => void
}

/** Creates a webhook receiver that reports every request. */
export function receiverServer({ dialect, secret, statuses, onReceived }: ReceiverOptions): Server {
  const format = dialect.webhooks(shippedScenario('default'))
  let count = 0
  return createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    const status = statuses[Math.min(count, statuses.length - 1)] ?? 200
    count += 1
    response.writeHead(status).end()
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const received = { headers, body: new Uint8Array(body) }
    onReceived({
      type: 'webhook',
      ...fieldsOfWebhook(body, dialect),
      signature: await verifyWebhook(format, received, secret ?? format.secret),
      status,
      body: String(body),
    })
  })
}
