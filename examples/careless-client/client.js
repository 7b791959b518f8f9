// A client with two mistakes: it retries a create request without checking whether the first one created a task, and it
// polls too fast.
const api = `${process.env.TASKSIM_URL}/tasks`
const headers = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }
const body = JSON.stringify({ model: 'acme/video-1', input: { prompt: 'waves', duration: 5 } })

const create = () => fetch(api, { method: 'POST', headers, body }).catch(create)

let task = await (await create()).json()
while (task.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 50))
  task = await (await fetch(`${api}/${task.id}`, { headers })).json()
}
const video = await (await fetch(task.output.video)).arrayBuffer()
process.stdout.write(`${task.status}: ${video.byteLength} bytes\n`)
