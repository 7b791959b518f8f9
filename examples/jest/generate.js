// The code under test: creates a task, polls it and returns the URL of the video.
const BASE = 'https://api.example.com/api/v1'
const HEADERS = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }
const MAX_POLLS = 200

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function generateVideo(prompt, wait = sleep) {
  const body = JSON.stringify({ model: 'acme/video-1', input: { prompt, duration: 5 } })
  const { id } = await call('/tasks', { method: 'POST', body }, wait)
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const task = await call(`/tasks/${id}`, {}, wait)
    if (task.status === 'succeeded') return task.output.video
    if (task.status === 'failed' || task.status === 'canceled')
      throw new Error(task.error?.message ?? task.status)
    await wait(3_000)
  }
  throw new Error(`${id} did not end in time`)
}

// Retries after 429, and retries failed polls. Does not repeat a create request that may have created a task.
async function call(path, init, wait) {
  for (let attempts = 1; ; attempts++) {
    const sent = fetch(BASE + path, { ...init, headers: HEADERS, signal: AbortSignal.timeout(30_000) })
    const response = await sent.catch((error) => error)
    if (response.ok) return await response.json()
    const isRetryable = response.status === 429 || (init.method !== 'POST' && !(response.status < 500))
    if (!isRetryable || attempts === 5) throw new Error(`${path}: ${response.status ?? response}`)
    await wait(1_000 * Number(response.headers?.get('retry-after') ?? 2 ** attempts))
  }
}

module.exports = { generateVideo }
