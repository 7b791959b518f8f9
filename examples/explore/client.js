// A client that handles most failures, and makes two mistakes: after a lost answer it creates the task again without
// looking for the first one, and it expects JSON in every answer, also from a proxy.
import { fileURLToPath } from 'node:url'

/** The service has no video. Other errors are mistakes of this program. */
class NoVideo extends Error {}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Sends a request, and again if there is no answer or the service is busy, until the deadline. */
async function send(url, init, deadline) {
  for (let wait = 100; Date.now() < deadline; wait *= 2) {
    const signal = AbortSignal.timeout(2_000)
    const response = await fetch(url, { ...init, signal }).catch(() => undefined)
    const answer = await response?.json()
    if (response?.ok) return answer
    if (response && response.status < 500 && response.status !== 429)
      throw new NoVideo(`the service answers ${response.status}`)
    const seconds = Number(response?.headers.get('retry-after') ?? 0)
    await sleep(Math.min(Math.max(wait, seconds * 1_000), deadline - Date.now()))
  }
  throw new NoVideo('the service does not answer')
}

async function download(url, deadline) {
  while (Date.now() < deadline) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (response && response.status >= 400 && response.status < 500) throw new NoVideo('the file is gone')
    const bytes = response?.ok ? await response.arrayBuffer().catch(() => undefined) : undefined
    if (bytes !== undefined) return bytes
    await sleep(100)
  }
  throw new NoVideo('the file cannot be read')
}

/** Generates a video, and returns its bytes. */
export async function generate(api, prompt) {
  const deadline = Date.now() + 6_000
  const headers = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }
  const body = JSON.stringify({ model: 'acme/video-1', input: { prompt } })
  let task = await send(`${api}/tasks`, { method: 'POST', headers, body }, deadline)
  while (task.status === 'processing') {
    if (Date.now() > deadline) throw new NoVideo('the task takes too long')
    await sleep(100)
    task = await send(`${api}/tasks/${task.id}`, { headers }, deadline)
  }
  const url = task.output?.video
  if (url === undefined) throw new NoVideo(task.error?.message ?? `the task is ${task.status}`)
  return download(url, deadline)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const video = await generate(process.env.TASKSIM_URL, 'waves at dawn')
    process.stdout.write(`A video of ${video.byteLength} bytes.\n`)
  } catch (error) {
    if (!(error instanceof NoVideo)) throw error
    process.stderr.write(`No video: ${error.message}.\n`)
    process.exitCode = 1
  }
}
