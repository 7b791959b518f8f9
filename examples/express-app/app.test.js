import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { app } from './app.js'

// It gets late webhooks until the process ends, and does not keep the process from ending.
const server = app.listen(0).unref()

before(async () => {
  await once(server, 'listening')
  process.env.PUBLIC_URL = `http://127.0.0.1:${server.address().port}`
})

test('eight images are generated', { timeout: 60_000 }, async () => {
  const prompts = ['a lighthouse', 'waves', 'a bridge', 'fog', 'a ferry', 'gulls', 'a pier', 'sand']
  const ended = await Promise.all(prompts.map(generate))
  assert.deepEqual(new Set(ended), new Set(['succeeded']))
})

/** Orders an image as a user does, and waits until the app has stored it. */
async function generate(prompt) {
  const headers = { 'Content-Type': 'application/json' }
  const images = `${process.env.PUBLIC_URL}/images`
  const ordered = await fetch(images, { method: 'POST', headers, body: JSON.stringify({ prompt }) })
  const { id } = await ordered.json()
  for (;;) {
    await sleep(500)
    const { status } = await (await fetch(`${images}/${id}`)).json()
    if (status !== 'pending') return status
  }
}
