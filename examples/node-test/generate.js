// The code under test: it creates a task, polls it, and gives the URL of the video.
const BASE = 'https://api.example.com/api/v1'
const HEADERS = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }

export async function generateVideo(prompt, wait) {
  const body = JSON.stringify({ model: 'acme/video-1', input: { prompt, duration: 5 } })
  const created = await fetch(`${BASE}/tasks`, { method: 'POST', headers: HEADERS, body })
  const { id } = await created.json()
  for (;;) {
    const task = await (await fetch(`${BASE}/tasks/${id}`, { headers: HEADERS })).json()
    if (task.status === 'succeeded') return task.output.video
    if (task.status !== 'processing') throw new Error(task.error?.message ?? task.status)
    await wait()
  }
}
