// Generates an image with a client in TypeScript, whose types come from the OpenAPI document of the service.
import createClient from 'openapi-fetch'
import type { paths as ControlPaths } from './generated/control.js'
import type { paths } from './generated/service.js'

const origin = process.env['ORIGIN'] ?? 'http://127.0.0.1:4010'
const key = process.env['TASKSIM_API_KEY'] ?? 'sk_live_local'
const service = createClient<paths>({ baseUrl: origin, headers: { Authorization: `Bearer ${key}` } })
const control = createClient<ControlPaths>({ baseUrl: origin })

const body = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }
let { data: task, error } = await service.POST('/api/v1/tasks', { body })
while (task?.status === 'queued' || task?.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const path = { task_id: task.id }
  ;({ data: task, error } = await service.GET('/api/v1/tasks/{task_id}', { params: { path } }))
}
if (task?.output === undefined || !('images' in task.output)) throw new Error(JSON.stringify(error ?? task))
const [url] = task.output.images as string[]
const file = await fetch(String(url))
process.stdout.write(`TypeScript: ${task.status} ${(await file.arrayBuffer()).byteLength > 0}\n`)

const { data: clock } = await control.GET('/_sim/clock')
process.stdout.write(`The clock of tasksim: ${clock?.mode}\n`)
