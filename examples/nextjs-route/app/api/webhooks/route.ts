import { parseEvent, storeEvent } from '../../../lib/events.js'
import { isGenuine } from '../../../lib/signature.js'

/** Receives a webhook. Any error becomes a 500, so that the sender retries. */
export async function POST(request: Request): Promise<Response> {
  const secret = process.env['WEBHOOK_SECRET']
  if (!secret) throw new Error('WEBHOOK_SECRET is not set')
  const body = Buffer.from(await request.arrayBuffer()) // the signature covers the raw bytes
  if (!isGenuine(body, request.headers.get('x-service-signature'), secret))
    return new Response(null, { status: 401 })
  const event = parseEvent(body.toString())
  if (event === undefined) return new Response(null, { status: 400 })
  await storeEvent(event)
  return new Response(null, { status: 204 })
}
