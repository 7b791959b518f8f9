import { createServer, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifySignature } from '../engine/webhooks/signature.js'

/** A received webhook and its response. */
export interface Received {
  readonly type: 'webhook'
  readonly event: string | undefined
  readonly task_id: string | undefined
  readonly signature: 'right' | 'wrong' | 'missing'
  /** The status of the response. */
  readonly status: number
  readonly body: string
}

interface ReceiverOptions {
  readonly secret: string
  /** The statuses of the responses, in order; the last one repeats. */
  readonly statuses: readonly number[]
  readonly onReceived: (received: Received) => void
}

/** Creates a webhook receiver that reports every request. */
export function receiverServer({ secret, statuses, onReceived }: ReceiverOptions): Server {
  let count = 0
  return createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    const status = statuses[Math.min(count, statuses.length - 1)] ?? 200
    count += 1
    response.writeHead(status).end()
    const signature = request.headers['x-service-signature']
    onReceived({
      type: 'webhook',
      ...fieldsOf(body),
      signature: checkSignature(body, signature, secret),
      status,
      body: String(body),
    })
  })
}

type Header = IncomingMessage['headers'][string]

function checkSignature(body: Uint8Array, signature: Header, secret: string): Received['signature'] {
  if (signature === undefined) return 'missing'
  return verifySignature(body, String(signature), secret) ? 'right' : 'wrong'
}

function fieldsOf(body: Uint8Array): Pick<Received, 'event' | 'task_id'> {
  try {
    const { event, task } = JSON.parse(String(body))
    return { event: event && String(event), task_id: task?.id && String(task.id) }
  } catch {
    return { event: undefined, task_id: undefined }
  }
}
