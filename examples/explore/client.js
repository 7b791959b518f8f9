// A client that handles most failures, and makes two mistakes: after a lost answer it creates the task again without
// looking for the first one, and it expects JSON in every answer, also from a proxy.
const api = `${process.env.TASKSIM_URL}/tasks`
const headers = { Authorization: `Bearer ${process.env.TASKSIM_API_KEY}`, 'Content-Type': 'application/json' }
const order = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }
const deadline = Date.now() + 6_000

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Reports a failure, and ends with a status of its own. */
function fail(reason) {
  process.stderr.write(`No picture: ${reason}.\n`)
  process.exit(1)
}

/** Sends a request, and again if there is no answer or the service is busy, until the deadline. */
async function send(url, init) {
  for (let wait = 100; Date.now() < deadline; wait *= 2) {
    const signal = AbortSignal.timeout(2_000)
    const response = await fetch(url, { ...init, headers, signal }).catch(() => undefined)
    const answer = await response?.json()
    if (response?.ok) return answer
    if (response && response.status < 500 && response.status !== 429)
      fail(`the service answers ${response.status}`)
    const seconds = Number(response?.headers.get('retry-after') ?? 0)
    await sleep(Math.min(Math.max(wait, seconds * 1_000), deadline - Date.now()))
  }
  return fail('the service does not answer')
}

async function download(url) {
  while (Date.now() < deadline) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (response && response.status >= 400 && response.status < 500)
      fail(`the file is gone: ${response.status}`)
    const bytes = response?.ok ? await response.arrayBuffer().catch(() => undefined) : undefined
    if (bytes !== undefined) return bytes
    await sleep(100)
  }
  return fail('the file cannot be read')
}

let task = await send(api, { method: 'POST', body: JSON.stringify(order) })
while (task.status === 'processing') {
  if (Date.now() > deadline) fail('the task takes too long')
  await sleep(100)
  task = await send(`${api}/${task.id}`)
}
const url = task.output?.images?.[0]
if (url === undefined) fail(task.error?.message ?? `the task is ${task.status}, without a picture`)
const picture = await download(url)
process.stdout.write(`A picture of ${picture.byteLength} bytes.\n`)
