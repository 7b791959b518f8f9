// The code under test. It asks its own origin, whose backend hands the requests on to the service.
const MOST_POLLS = 100
const BETWEEN_POLLS = 2_000

export async function generate(prompt, tell) {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt } })
  let task = await call('/api/v1/tasks', { method: 'POST', body })
  for (let polls = 0; polls < MOST_POLLS; polls++) {
    tell(task.status)
    if (task.status === 'succeeded') return kept(task.output.images[0])
    if (task.status === 'failed' || task.status === 'canceled')
      throw new Error(task.error?.message ?? task.status)
    await pause(BETWEEN_POLLS)
    // A poll that fails is no reason to give up the task.
    task = await call(`/api/v1/tasks/${task.id}`).catch((error) => orLater(error, task))
  }
  throw new Error('It takes too long. Please try again later.')
}

// The file, and not its URL, which expires.
async function kept(url) {
  const file = await fetch(url, { signal: AbortSignal.timeout(60_000) })
  if (!file.ok) throw new Error(`The image cannot be loaded: ${file.status}`)
  return URL.createObjectURL(await file.blob())
}

async function call(path, init = {}) {
  // The token of the user's session: the API key stays with the backend.
  const token = sessionStorage.getItem('token') ?? 'nobody'
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answer = await fetch(path, { ...init, headers, signal: AbortSignal.timeout(30_000) })
  if (answer.ok) return answer.json()
  const retryAfter = 1_000 * Number(answer.headers.get('retry-after') ?? 0)
  throw Object.assign(new Error(`The service answers ${answer.status}`), {
    status: answer.status,
    retryAfter,
  })
}

async function orLater(error, task) {
  if (error.status < 500 && error.status !== 429) throw error
  await pause(error.retryAfter ?? 0)
  return task
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
