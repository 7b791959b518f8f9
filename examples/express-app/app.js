// An app that generates images. It learns the results from webhooks, and polls if a webhook is late.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'

const { API_BASE_URL, API_KEY, WEBHOOK_SECRET = '' } = process.env
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
const LATE = 6_000
const DEADLINE = 60_000
const FINAL = ['succeeded', 'failed', 'canceled']

/** The ended tasks by id. */
const ended = new Map()

export const app = express()

app.post('/images', express.json(), async (request, response) => {
  const { prompt } = request.body
  const order = {
    model: 'acme/image-1',
    input: { prompt },
    webhook_url: `${process.env.PUBLIC_URL}/webhooks`,
  }
  const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(order) }
  const created = await fetch(`${API_BASE_URL}/tasks`, init)
  if (!created.ok) return response.sendStatus(502)
  const { id } = await created.json()
  void pollIfLate(id)
  response.status(202).json({ id })
})

app.get('/images/:id', (request, response) => {
  const { status = 'pending', file } = ended.get(request.params.id) ?? {}
  response.json({ status, bytes: file?.byteLength })
})

// The signature covers the raw bytes.
app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  if (!isGenuine(request.body ?? '', request.get('x-service-signature'))) return response.sendStatus(401)
  const task = taskOf(request.body)
  if (task === undefined) return response.sendStatus(400)
  void store(task)
  response.sendStatus(204)
})

/** Returns the task in the body of a webhook. */
function taskOf(body) {
  try {
    const { task } = JSON.parse(body)
    return typeof task?.id === 'string' ? task : undefined
  } catch {
    return undefined
  }
}

function isGenuine(body, signature = '') {
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function pollIfLate(id) {
  const end = Date.now() + DEADLINE
  for (let wait = LATE; Date.now() < end; ) {
    await sleep(wait)
    if (ended.get(id)?.status !== undefined) return
    const response = await fetch(`${API_BASE_URL}/tasks/${id}`, { headers: HEADERS }).catch(() => undefined)
    wait = 1_000 * Number(response?.headers.get('retry-after') ?? 2)
    const task = response?.ok ? await response.json().catch(() => undefined) : undefined
    if (task !== undefined) await store(task)
  }
}

/** Stores the result of a task once, even if several webhooks and polls report it. */
async function store(task) {
  if (!FINAL.includes(task.status) || ended.has(task.id)) return
  ended.set(task.id, {})
  try {
    const file = task.status === 'succeeded' ? await download(task.output.images[0]) : undefined
    ended.set(task.id, { status: task.status, file })
  } catch (error) {
    // The next poll tries again, with a fresh URL.
    ended.delete(task.id)
    process.emitWarning(`The result of ${task.id} was not stored: ${error.message}`)
  }
}

async function download(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`)
  return response.arrayBuffer()
}
