import { createHmac, timingSafeEqual } from 'node:crypto'
import express, { type Express } from 'express'
import type { Task } from './client.js'

/** The body of a webhook. */
export interface TaskEvent {
  readonly event: string
  readonly task: Pick<Task, 'id' | 'status' | 'output' | 'error'>
}

/** Processes events after the webhook has been acknowledged. */
export interface EventHandler {
  process(event: TaskEvent): Promise<void>
  /** Handles a processing error; the sender will not repeat the event. */
  onError(event: TaskEvent, error: unknown): void
}

/** Creates an app that receives webhooks at /webhooks and processes each event once. */
export function createReceiver(secret: string, { process, onError }: EventHandler): Express {
  const seen = new Set<string>()
  const app = express()
  // Read the raw bytes, which the signature covers. A JSON parser before this handler would consume them.
  app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
    const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!isGenuine(body, request.get('x-service-signature'), secret)) return void response.sendStatus(401)
    const event = parseEvent(body)
    if (event === undefined) return void response.sendStatus(400)
    const key = `${event.task.id} ${event.event}`
    const isNew = !seen.has(key)
    seen.add(key)
    // Acknowledge before processing: a sender that waits too long repeats the event.
    response.sendStatus(204)
    if (isNew) process(event).catch((error: unknown) => onError(event, error))
  })
  return app
}

/** Checks the format of the signature, then compares in constant time. */
function isGenuine(body: Buffer, signature: string | undefined, secret: string): boolean {
  if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

function parseEvent(body: Buffer): TaskEvent | undefined {
  try {
    const event = JSON.parse(body.toString())
    return typeof event.event === 'string' && typeof event.task.id === 'string' ? event : undefined
  } catch {
    return undefined
  }
}
