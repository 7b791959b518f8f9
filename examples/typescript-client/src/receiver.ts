import { createHmac, timingSafeEqual } from 'node:crypto'
import express, { type Express } from 'express'
import type { Task } from './client.js'

/** What a webhook tells. */
export interface TaskEvent {
  readonly event: string
  readonly task: Pick<Task, 'id' | 'status' | 'output' | 'error'>
}

/** What is done with an event, after it has been answered. */
export interface Work {
  work(event: TaskEvent): Promise<void>
  /** Hears of work that went wrong: the sender will not send the event again. */
  failed(event: TaskEvent, error: unknown): void
}

/** An app that takes webhooks at /webhooks, and hands on each event once. */
export function createReceiver(secret: string, { work, failed }: Work): Express {
  const seen = new Set<string>()
  const app = express()
  // The raw bytes: they are what is signed. A JSON parser before this one would take them away.
  app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
    const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!isGenuine(body, request.get('x-service-signature'), secret)) return void response.sendStatus(401)
    const event = read(body)
    if (event === undefined) return void response.sendStatus(400)
    const key = `${event.task.id} ${event.event}`
    const isNew = !seen.has(key)
    seen.add(key)
    // Answered before the work begins, for whoever waits too long for an answer sends the event again.
    response.sendStatus(204)
    if (isNew) work(event).catch((error: unknown) => failed(event, error))
  })
  return app
}

/** Compares in constant time, and only what has the form of a signature. */
function isGenuine(body: Buffer, signature: string | undefined, secret: string): boolean {
  if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) return false
  const right = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(Buffer.from(signature, 'hex'), right)
}

function read(body: Buffer): TaskEvent | undefined {
  try {
    const event = JSON.parse(body.toString())
    return typeof event.event === 'string' && typeof event.task.id === 'string' ? event : undefined
  } catch {
    return undefined
  }
}
