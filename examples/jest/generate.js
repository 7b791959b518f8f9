// The code under test: it creates a task, polls it, and gives the URL of the video.
const BASE = 'https://api.example.com/api/v1'
const HEADERS = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }
const MOST_POLLS = 200

export async function generateVideo(prompt, wait) {
  const body = JSON.stringify({ model: 'acme/video-1', input: { prompt, duration: 5 } })
  const { id } = await call('/tasks', { method: 'POST', body }, wait)
  for (let polls = 0; polls < MOST_POLLS; polls++) {
    const task = await call(`/tasks/${id}`, {}, wait)
    if (task.status === 'succeeded') return task.output.video
    if (task.status === 'failed' || task.status === 'canceled')
      throw new Error(task.error?.message ?? task.status)
    await wait(3_000)
  }
  throw new Error(`${id} has not ended`)
}

// Tries again after 429, and after what may have befallen a poll; an order that may have been carried out is sent once.
async function call(path, init, wait) {
  for (let tries = 1; ; tries++) {
    const sent = fetch(BASE + path, { ...init, headers: HEADERS, signal: AbortSignal.timeout(30_000) })
    const answer = await sent.catch((error) => error)
    if (answer.ok) return await answer.json()
    const mayPass = answer.status === 429 || (init.method !== 'POST' && !(answer.status < 500))
    if (!mayPass || tries === 5) throw new Error(`${path}: ${answer.status ?? answer}`)
    await wait(1_000 * Number(answer.headers?.get('retry-after') ?? 2 ** tries))
  }
}
