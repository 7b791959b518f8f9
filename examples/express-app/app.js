// An app that generates images. It learns the results from webhooks, and polls if a webhook is late.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'

const { API_BASE_URL, API_KEY, WEBHOOK_SECRET = '', PUBLIC_URL = 'http://127.0.0.1:3000' } = process.env
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
const LATE = 6_000
const DEADLINE = 60_000

/** The ended tasks by id. */
const ended = new Map()

export const app = express()

app.post('/images', express.json(), async (request, response) => {
  const { prompt } = request.body
  const order = { model: 'acme/image-1', input: { prompt }, webhook_url: `${PUBLIC_URL}/webhooks` }
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
app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  if (!isGenuine(request.body, request.get('x-service-signature'))) return response.sendStatus(401)
  void store(JSON.parse(request.body).task)
  response.sendStatus(204)
})

function isGenuine(body, signature = '') {
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function pollIfLate(id) {
  const end = Date.now() + DEADLINE
  for (let wait = LATE; Date.now() < end; ) {
    await sleep(wait)
    if (ended.has(id)) return
    const response = await fetch(`${API_BASE_URL}/tasks/${id}`, { headers: HEADERS }).catch(() => undefined)
    wait = 1_000 * Number(response?.headers.get('retry-after') ?? 2)
    if (response?.ok) await store(await response.json())
  }
}

/** Stores the result of a task once, even if several webhooks and polls report it. */
async function store(task) {
  if (!['succeeded', 'failed', 'canceled'].includes(task.status) || ended.has(task.id)) return
  ended.set(task.id, {})
  const file = task.status === 'succeeded' ? await download(task.output.images[0]) : undefined
  ended.set(task.id, { status: task.status, file })
}

async function download(url) {
  return (await fetch(url)).arrayBuffer()
}
