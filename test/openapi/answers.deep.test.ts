import { afterAll, expect, test } from 'vitest'
import { ENTRY_TYPES } from '../../src/inspect/journal/entry.js'
import { type DescribedClient, fitsComponent, OPERATIONS, openDescribed, seen } from './described.js'

/** The client checks each answer of a running server against the documents. */

const TASKS = '/api/v1/tasks'
const IMAGE = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }

afterAll(() => {
  const answered = OPERATIONS.flatMap(({ operation: { operationId, responses } }) =>
    Object.keys(responses)
      .filter((status) => status.startsWith('2') && status !== '206')
      .map((status) => `${operationId} ${status}`),
  )
  expect(answered.filter((answer) => !seen.has(answer))).toEqual([])
})

async function create(client: DescribedClient, body: object = IMAGE): Promise<string> {
  return (await client.call('POST', TASKS, body)).body.id
}

test('tasks in every state match the document', async () => {
  const client = await openDescribed({ scenario: { extends: 'default', capacity: { running: 1 } } })
  const first = await create(client)
  const second = await create(client)
  expect((await client.call('GET', `${TASKS}/${first}`)).body.status).toBe('processing')
  expect((await client.call('GET', `${TASKS}/${second}`)).body.status).toBe('queued')
  expect((await client.call('POST', `${TASKS}/${second}/cancel`)).body.status).toBe('canceled')
  await client.sim.clock.advance('2s')
  expect((await client.call('GET', `${TASKS}/${first}`)).body.status).toBe('succeeded')
  const failing = await client.call('POST', TASKS, IMAGE, { 'x-sim': 'error=content_policy after=1s' })
  await client.sim.clock.advance('1s')
  expect((await client.call('GET', `${TASKS}/${failing.body.id}`)).body.error.code).toBe('content_policy')
  const { body } = await client.call('GET', `${TASKS}?limit=1`)
  expect([body.data.length, body.has_more]).toEqual([1, true])
})

test.each([
  ['Image', { model: 'acme/image-1', input: { n: 2 } }],
  ['Video', { model: 'acme/video-1', input: { duration: 2 } }],
  ['Audio', { model: 'acme/speech-1', input: { prompt: 'good morning' } }],
  ['Transcript', { model: 'acme/transcribe-1', input: { audio_url: 'https://example.com/a.mp3' } }],
  ['Tool', { model: 'acme/tool-1', input: {} }],
  [
    'Llm',
    {
      model: 'acme/chat-1',
      input: { messages: [{ role: 'user', content: 'Why?' }], reasoning_effort: 'low' },
    },
  ],
])('the output of a model matches the document: %s', async (kind, body) => {
  const client = await openDescribed()
  const id = await create(client, body)
  await client.sim.clock.advance('1h')
  const { output } = (await client.call('GET', `${TASKS}/${id}`)).body
  expect(fitsComponent('service', `${kind}Output`, output)).toEqual([])
  expect(fitsComponent('service', `${kind}Output`, { other: 1 })).not.toEqual([])
})

test('a tool call matches the document', async () => {
  const client = await openDescribed()
  const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }
  const input = { messages: [{ role: 'user', content: 'look' }], tools: [tool] }
  const id = await create(client, { model: 'acme/chat-1', input })
  await client.sim.clock.advance('1h')
  const { output } = (await client.call('GET', `${TASKS}/${id}`)).body
  expect(output.message.tool_calls).toHaveLength(1)
  expect(fitsComponent('service', 'LlmOutput', output)).toEqual([])
})

test('webhooks match the document', async () => {
  const bodies: unknown[] = []
  const receiver = async (request: Request) => {
    bodies.push(await request.json())
    return new Response()
  }
  const client = await openDescribed({ receivers: [receiver] })
  await create(client)
  await client.call('POST', TASKS, IMAGE, { 'x-sim': 'outcome=failed' })
  await client.call('POST', TASKS, IMAGE, { 'x-sim': 'outcome=canceled' })
  await client.sim.clock.advance('1h')
  expect(bodies).toHaveLength(3)
  for (const body of bodies) expect(fitsComponent('service', 'WebhookEvent', body)).toEqual([])
})

test.each(['envelope', 'problem', 'detail'] as const)(
  'errors of the service match the document, in the style `%s`',
  async (errors) => {
    const client = await openDescribed({
      scenario: {
        api: { errors, unknown_models: 'reject' },
        models: { 'acme/*': { kind: 'image' } },
        capacity: { running: 1, queued: 0 },
      },
    })
    const status = async (...request: Parameters<DescribedClient['call']>) =>
      (await client.call(...request)).status
    expect(await status('POST', TASKS, '{')).toBe(400)
    expect(await status('POST', TASKS, { model: 'acme/1' })).toBe(400)
    expect(await status('POST', TASKS, IMAGE, { authorization: '' })).toBe(401)
    expect(await status('POST', TASKS, { model: 'other', input: {} })).toBe(404)
    expect(await status('POST', TASKS, IMAGE, { 'content-type': 'text/plain' })).toBe(415)
    expect(await status('POST', TASKS, IMAGE)).toBe(200)
    expect(await status('POST', TASKS, IMAGE)).toBe(429)
    expect(await status('GET', `${TASKS}/none`)).toBe(404)
    expect(await status('GET', `${TASKS}?limit=0`)).toBe(400)
    await client.sim.clock.advance('1h')
    const [task] = (await client.call('GET', TASKS)).body.data
    expect(await status('POST', `${TASKS}/${task.id}/cancel`)).toBe(409)
    expect(await status('GET', new URL(task.output.images[0]).pathname)).toBe(403)
    expect(await status('PUT', '/_sim/scenario', { text: 'kinds: { vidoe: {} }' })).toBe(400)
    expect(await status('POST', '/_sim/clock', {})).toBe(400)
  },
)

test('files match the document', async () => {
  const client = await openDescribed()
  const id = await create(client)
  await client.sim.clock.advance('2s')
  const { output } = (await client.call('GET', `${TASKS}/${id}`)).body
  const { pathname, search } = new URL(output.images[0])
  await client.call('GET', pathname + search)
  await client.call('OPTIONS', pathname)
  await client.call('GET', `/_sim/tasks/${id}/files/0`)
  expect((await client.call('GET', pathname + search, undefined, { range: 'bytes=99999999-' })).status).toBe(
    416,
  )
})

test('control API answers about tasks and time match the document', async () => {
  const client = await openDescribed({ scenario: 'flaky' })
  const id = await create(client, { ...IMAGE, webhook_url: 'http://127.0.0.1:9/' })
  for (const path of [
    'dialects/luma/openapi.json',
    'health',
    'ready',
    'state',
    'clock',
    'scenario',
    'scenarios/stuck',
    'tasks?limit=1',
    `tasks/${id}`,
    'metrics',
    'overview',
  ])
    await client.call('GET', `/_sim/${path}`)
  await client.call('POST', `/_sim/tasks/${id}/hold`)
  await client.call('POST', `/_sim/tasks/${id}/release`)
  await client.call('GET', '/_sim/clock/upcoming')
  await client.call('POST', '/_sim/clock', { advance: '10s' })
  const { body } = await client.call('POST', '/_sim/tasks/none/finish', {})
  expect(body.error.code).toBe('task_not_found')
  const other = await create(client)
  await client.call('POST', `/_sim/tasks/${other}/finish`, { status: 'failed', error: { code: 'no' } })
  expect((await client.call('POST', `/_sim/tasks/${other}/finish`, {})).status).toBe(409)
  await client.call('GET', '/_sim/tasks')
  await client.call('GET', '/_sim/tasks?brief=true')
  await client.call('POST', '/_sim/preview', { model: 'acme/image-1', tasks: 20 })
  await client.call('PUT', '/_sim/scenario', { name: 'instant' })
  await client.call('PATCH', '/_sim/scenario', { kinds: { image: { failures: { rate: 1 } } } })
  await client.call('POST', '/_sim/reset')
})

test('control API answers about webhooks and the journal match the document', async () => {
  const statuses = [500, 200, 410]
  const handle = () => new Response('answer', { status: statuses.shift() ?? 200 })
  const client = await openDescribed({
    receivers: [{ url: 'http://receiver.test/hooks', handle, everyTask: true }],
  })
  const added = await client.call('POST', '/_sim/receivers', {
    url: 'http://127.0.0.1:9/',
    secret: 'whsec_a_secret_of_its_own',
    events: ['task.failed'],
    retries: ['1s'],
    timeout: '2s',
  })
  await client.call('GET', '/_sim/receivers')
  await client.call('DELETE', `/_sim/receivers/${added.body.id}`)
  const id = await create(client)
  await client.sim.clock.advance('1m')
  const { body } = await client.call('GET', '/_sim/deliveries')
  await client.call('GET', '/_sim/deliveries?brief=true')
  await client.call('GET', `/_sim/deliveries/${body.data[0].id}`)
  await client.call('POST', `/_sim/deliveries/${body.data[0].id}/redeliver`)
  await client.call('POST', '/_sim/webhooks/trigger', { event: 'task.failed' })
  await client.call('GET', '/_sim/dialects')
  await client.call('POST', '/_sim/requests', { dialect: 'google', input: { prompt: 'a', duration: 4 } })
  await client.call('POST', '/_sim/requests', { kind: 'video', input: { duration: 99 } })
  await client.call('GET', `/_sim/tasks/${id}/answer`)
  await client.call('GET', `/_sim/tasks/${id}/request`)
  await client.call('GET', `/_sim/tasks/${id}/test`)
  const { output } = (await client.call('GET', `${TASKS}/${id}`)).body
  const { pathname, search } = new URL(output.images[0])
  await client.call('GET', pathname + search)
  await client.call('POST', '/_sim/clock', { advance: '1s' })
  await client.call('GET', '/_sim/places')
  await client.call('POST', '/_sim/observations', { what: 'output.kept', task_id: id, as: 'url' })
  await client.sim.tasks.delete(await create(client))
  const journal = await client.call('GET', '/_sim/journal?limit=1000')
  const { id: request } = (await client.call('GET', '/_sim/journal?type=request')).body.data[0]
  await client.call('GET', `/_sim/journal/${request}`)
  await client.call('GET', `/_sim/journal/${request}/request`)
  await client.call('GET', `/_sim/journal/${request}/test`)
  await client.call('GET', '/_sim/findings/polls-too-fast/test')
  await client.call('GET', '/_sim/journal.har')
  await client.call('GET', '/_sim/journal.json')
  const types = new Set(journal.body.data.map(({ type }: { type: string }) => type))
  expect([...types].sort()).toEqual([...ENTRY_TYPES].sort())
  expect((await client.call('GET', '/_sim/findings')).body.findings).not.toEqual([])
})

test('a saved state matches the document, and so does the answer to one that is loaded', async () => {
  const client = await openDescribed()
  await create(client)
  const { status } = await client.call('GET', '/_sim/state.jsonl')
  expect(status).toBe(200)
  const text = await client.sim.control.exportState()
  const { body } = await client.call('PUT', '/_sim/state.jsonl', text)
  expect(body.tasks.processing).toBe(1)
})

test('sandboxes match the document, and so do their contents', async () => {
  const client = await openDescribed()
  const { body } = await client.call('POST', '/_sim/sandboxes', { name: 'one', clock: 'manual' })
  await client.call('GET', '/_sim/sandboxes')
  await client.call('GET', `/_sim/sandboxes/${body.id}`)
  await client.call('GET', `/_sim/sandboxes/${body.id}/state`)
  await client.call('DELETE', `/_sim/sandboxes/${body.id}`)
  expect((await client.call('GET', `/_sim/sandboxes/${body.id}`)).status).toBe(404)
})

test('the entries of the stream match the document', async () => {
  const client = await openDescribed()
  await create(client)
  const response = await fetch(`${client.origin}/_sim/stream?after=0`)
  seen.add(`sim.journal.stream ${response.status}`)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('event: request')) text += (await reader?.read())?.value
  await reader?.cancel()
  const entries = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
  expect(entries.length).toBeGreaterThan(0)
  for (const entry of entries) expect(fitsComponent('control', 'Entry', entry)).toEqual([])
})

test('the documents and the page are served', async () => {
  const client = await openDescribed()
  const control = await client.call('GET', '/_sim/openapi.json')
  const service = await client.call('GET', '/_sim/service.openapi.json')
  expect(control.body.servers).toEqual([{ url: client.origin }])
  expect(service.body.servers).toEqual([{ url: client.origin }])
  expect((await client.call('GET', '/_sim/docs')).body).toMatch(/^<!doctype html>/)
})

test('a run with a deviation, and its places, match the document', async () => {
  const client = await openDescribed()
  const { status } = await client.call('POST', '/_sim/deviations', { id: 'tasks.create#1:lost' })
  expect(status).toBe(409)
  await client.call('POST', '/_sim/deviations')
  await create(client)
  await client.call('GET', '/_sim/places')
  await client.call('POST', '/_sim/deviations', { id: 'tasks.create#1:lost' })
  await client.call('POST', '/_sim/deviations', { id: 'tasks.create#9:lost' })
})
