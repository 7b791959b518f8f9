// The code under test. It calls its own origin, whose backend forwards the requests to the service.
const MAX_POLLS = 100
const POLL_INTERVAL = 2_000

export async function generate(prompt, onStatus) {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt } })
  let task = await call('/api/v1/tasks', { method: 'POST', body })
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    onStatus(task.status)
    if (task.status === 'succeeded') return loadImage(task.output.images[0])
    if (task.status === 'failed' || task.status === 'canceled')
      throw new Error(task.error?.message ?? task.status)
    await pause(POLL_INTERVAL)
    // Keep polling after a failed poll.
    task = await call(`/api/v1/tasks/${task.id}`).catch((error) => ignoreTemporary(error, task))
  }
  throw new Error('This takes too long. Please try again later.')
}

// Loads the file, because its URL expires.
async function loadImage(url) {
  const file = await fetch(url, { signal: AbortSignal.timeout(60_000) })
  if (!file.ok) throw new Error(`Failed to load the image: ${file.status}`)
  return URL.createObjectURL(await file.blob())
}

async function call(path, init = {}) {
  // The token of the user's session. The API key stays on the backend.
  const token = sessionStorage.getItem('token') ?? 'anonymous'
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(path, { ...init, headers, signal: AbortSignal.timeout(30_000) })
  if (response.ok) return response.json()
  const retryAfter = 1_000 * Number(response.headers.get('retry-after') ?? 0)
  throw Object.assign(new Error(`The service answered ${response.status}`), {
    status: response.status,
    retryAfter,
  })
}

async function ignoreTemporary(error, task) {
  if (error.status < 500 && error.status !== 429) throw error
  await pause(error.retryAfter ?? 0)
  return task
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
