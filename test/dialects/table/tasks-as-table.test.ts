import { expect, it } from 'vitest'
import { answer } from '../../../src/api.js'
import { createSimulator, parseDialect, type Simulator } from '../../../src/index.js'

/** The service that tasksim speaks for by default, in the language of dialect files. */
const TWIN = parseDialect(`
name: twin
title: Twin
prefix: /api/v1
key: { scheme: Bearer }
ids: { prefix: task_, characters: base62, length: 24 }
statuses: { queued: queued, processing: processing, succeeded: succeeded, failed: failed, canceled: canceled }
task:
  id: "{{id}}"
  model: "{{model}}"
  status: "{{status}}"
  input: "{{input}}"
  output: "{{output}}"
  error: "{{error}}"
  cost_usd: "{{cost}}"
  created_at: "{{created_at}}"
  completed_at: "{{completed_at}}"
error:
  body: { error: { code: "{{code}}", message: "{{message}}", param: "{{param}}", request_id: "{{request_id}}", "...": "{{details}}" } }
operations:
  POST /tasks: { action: create, input: "{{body.input}}", fields: [model, input, webhook_url] }
  GET /tasks/{task_id}: retrieve
  POST /tasks/{task_id}/cancel: cancel
  GET /tasks:
    action: list
    answer: { data: "{{tasks}}", has_more: "{{has_more}}", next_cursor: "{{next_cursor or null}}" }
    after: after
webhook:
  url: "{{body.webhook_url}}"
  events: { succeeded: task.succeeded, failed: task.failed, canceled: task.canceled }
`)

/** Sends a request, and returns the status and the text of the answer. */
async function send(sim: Simulator, prefix: string, request: string, body: object = {}): Promise<string> {
  const [method = '', target = ''] = request.split(' ')
  const [path = '', query = ''] = target.split('?')
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    ...(!query.includes('anonymous') && { authorization: 'Bearer key' }),
  }
  const reply = await answer(sim, {
    method,
    path: `${prefix}/api/v1/tasks${path}`,
    query,
    origin: 'http://localhost',
    header: (name) => headers[name],
    body: async () => new TextEncoder().encode(JSON.stringify(body)),
  })
  return `${request}\n${reply.status} ${reply.headers['content-type']}\n${reply.body}`
}

/** The answers to the requests of a client, from the creation of tasks to their end. */
async function conversation(prefix: string): Promise<string[]> {
  const sim = createSimulator({
    clock: 'manual',
    dialects: [TWIN],
    scenario: {
      kinds: { image: { price: { per_image: 0.04 } } },
      capacity: { running: 3 },
      rules: [
        { when: { model: '*/bad' }, then: { outcome: 'failed', error: { code: 'unsafe', message: 'No.' } } },
      ],
    },
  })
  const answers: string[] = []
  const ask = async (request: string, body?: object) => {
    const text = await send(sim, prefix, request, body)
    answers.push(text)
    return /"id":"(task_\w+)"/.exec(text)?.[1] ?? ''
  }
  const models = ['acme/image-1', 'acme/video-1', 'acme/bad', 'acme/image-2']
  const ids: string[] = []
  for (const model of models) ids.push(await ask('POST ', { model, input: { prompt: 'a lighthouse', n: 2 } }))
  await ask(`POST /${ids[3]}/cancel`)
  await sim.clock.advance('10s')
  for (const id of ids) await ask(`GET /${id}`)
  await ask(`POST /${ids[0]}/cancel`)
  await ask('GET ?limit=3')
  await ask(`GET ?limit=3&after=${ids[1]}`)
  await ask('GET ?limit=none')
  await ask('GET /task_000000000000000000000000')
  await ask('GET ?anonymous')
  await ask('POST ', { model: 'acme/image-1', input: 3 })
  return answers
}

it('the language of dialect files can express the service that tasksim speaks for by default', async () => {
  const [original, twin] = await Promise.all([conversation(''), conversation('/twin')])
  expect(twin.length).toBe(16)
  expect(twin).toEqual(original)
})
