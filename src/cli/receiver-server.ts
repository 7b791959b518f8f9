import { createServer, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifySignature } from '../engine/webhooks/signature.js'

/** What a receiver got, and what it said to it. */
export interface Received {
  readonly type: 'webhook'
  readonly event: string | undefined
  readonly task_id: string | undefined
  readonly signature: 'right' | 'wrong' | 'missing'
  /** What it was answered with. */
  readonly status: number
  readonly body: string
}

interface ReceiverOptions {
  readonly secret: string
  /** What to answer with, one after the other; the last one goes on. */
  readonly statuses: readonly number[]
  readonly onReceived: (received: Received) => void
}

/** A webhook receiver that takes anything, and tells what it got. */
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
      ...told(body),
      signature: judge(body, signature, secret),
      status,
      body: String(body),
    })
  })
}

type Header = IncomingMessage['headers'][string]

function judge(body: Uint8Array, signature: Header, secret: string): Received['signature'] {
  if (signature === undefined) return 'missing'
  return verifySignature(body, String(signature), secret) ? 'right' : 'wrong'
}

function told(body: Uint8Array): Pick<Received, 'event' | 'task_id'> {
  try {
    const { event, task } = JSON.parse(String(body))
    return { event: event && String(event), task_id: task?.id && String(task.id) }
  } catch {
    return { event: undefined, task_id: undefined }
  }
}
