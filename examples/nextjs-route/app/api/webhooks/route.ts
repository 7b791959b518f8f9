import { readEvent, remember } from '../../../lib/events.js'
import { isGenuine } from '../../../lib/signature.js'

/** Takes a webhook. What goes wrong from here on becomes a 500, after which the event comes again. */
export async function POST(request: Request): Promise<Response> {
  const secret = process.env['WEBHOOK_SECRET']
  if (!secret) throw new Error('WEBHOOK_SECRET is not set')
  const body = Buffer.from(await request.arrayBuffer()) // the raw bytes: they are what is signed
  if (!isGenuine(body, request.headers.get('x-service-signature'), secret))
    return new Response(null, { status: 401 })
  const event = readEvent(body.toString())
  if (event === undefined) return new Response(null, { status: 400 })
  await remember(event)
  return new Response(null, { status: 204 })
}
