import { expect, onTestFinished, test } from 'vitest'
import { Mirror, type MirrorOptions } from '../../../src/cli/record/mirror/mirror.js'
import type { Task } from '../../../src/engine/tasks/task.js'
import { controlOf } from '../../../src/hosts/in-process.js'
import type { PassedExchange } from '../../../src/record/recording/passed-exchange.js'

const START = Date.parse('2026-11-22T10:00:00Z')
const SECRET = 'sk_live_secret_0123456789'
const KEY = { authorization: `Bearer ${SECRET}` }
const API = 'https://gateway.example.com/team/api/v1/tasks'
const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const HOOK = 'https://client.example.com/hooks'
const encoder = new TextEncoder()

async function open(options: Partial<MirrorOptions> = {}) {
  const about = { upstream: 'https://api.example.com', file: 'recording.jsonl', seesWebhooks: false }
  const mirror = await Mirror.open({ dialect: 'tasks', ...about, ...options })
  const errors: unknown[] = []
  mirror.sim.on('error', (error) => errors.push(error))
  onTestFinished(() => {
    mirror.close()
    expect(errors).toEqual([])
  })
  const { sim } = mirror
  const requests = () =>
    sim.journal.entries().flatMap((entry) => (entry.type === 'request' ? entry.request : []))
  return { mirror, sim, requests, control: controlOf(sim) }
}

/** An exchange some seconds after the start. */
function passed(
  seconds: number,
  [method, url]: readonly [string, string],
  [status, answer]: readonly [number, unknown],
  { body, ...more }: { readonly body?: unknown; readonly isOwn?: boolean; readonly took?: number } = {},
): PassedExchange {
  const type = { 'content-type': 'application/json' }
  return {
    at: START + seconds * 1_000,
    took: 100,
    isOwn: false,
    request: {
      method,
      url,
      headers: { ...KEY, ...(body !== undefined && type) },
      body: encoder.encode(body === undefined ? '' : JSON.stringify(body)),
    },
    response: { status, headers: type, body: encoder.encode(JSON.stringify(answer)) },
    ...more,
  }
}

const shown = (status: string, more: object = {}) => ({
  id: 'task_1',
  ...ORDER,
  status,
  created_at: '2026-11-22T10:00:00.000Z',
  ...more,
})

test('a task of the service appears with its course, its cost and the URLs of the service', async () => {
  const { mirror, sim, control } = await open()
  const output = { images: ['https://cdn.example.com/1.png?signature=abc'] }
  const events: string[] = []
  for (const name of ['task.created', 'task.started', 'task.finished'] as const)
    sim.on(name, ({ status }: Task) => void events.push(`${name} ${status}`))
  mirror.exchange(passed(0, ['POST', API], [201, shown('queued')], { body: ORDER }))
  mirror.exchange(passed(2, ['GET', `${API}/task_1`], [200, shown('processing')]))
  await mirror.settled()
  expect(sim.counters.tasks).toMatchObject({ processing: 1, queued: 0 })
  const end = { completed_at: '2026-11-22T10:00:05.000Z', cost_usd: 0.04, output }
  mirror.exchange(passed(6, ['GET', `${API}/task_1`], [200, shown('succeeded', end)]))
  await mirror.settled()
  expect(events).toEqual(['task.created queued', 'task.started processing', 'task.finished succeeded'])
  expect(await control.tasks.get('task_1')).toMatchObject({
    ...ORDER,
    status: 'succeeded',
    kind: 'image',
    completed_at: '2026-11-22T10:00:05.000Z',
    cost_usd: 0.04,
    output,
  })
})

test('the journal has the requests as a simulator would report them, without keys', async () => {
  const { mirror, requests } = await open()
  const body = { ...ORDER, webhokUrl: HOOK }
  mirror.exchange(passed(0, ['POST', API], [201, { ...shown('queued'), note: SECRET }], { body }))
  mirror.exchange(
    passed(
      1,
      ['GET', `${API}?limit=1`],
      [200, { data: [shown('queued')], has_more: true, next_cursor: 'task_1' }],
    ),
  )
  mirror.exchange(passed(2, ['GET', `${API}/task_1`], [200, shown('processing')], { isOwn: true }))
  mirror.exchange({ ...passed(3, ['GET', `${API}/task_1`], [200, '']), response: undefined })
  await mirror.settled()
  expect(requests()).toMatchObject([
    {
      operation: 'tasks.create',
      taskId: 'task_1',
      status: 201,
      at: START,
      answeredAt: START + 100,
      key: 'sk_...6789',
      note: {
        observed: [{ id: 'task_1', status: 'processing' }],
        unknownFields: ['webhokUrl'],
        hasAuthorization: true,
      },
    },
    {
      operation: 'tasks.list',
      note: { observed: [{ id: 'task_1', status: 'queued' }], nextCursor: 'task_1' },
    },
    { operation: 'tasks.retrieve', status: 0, delivered: false, taskId: 'task_1' },
  ])
  expect(JSON.stringify(requests())).not.toContain(SECRET)
})

test('secrets in bodies are masked: those that a client sends, and those that a service creates', async () => {
  const { mirror, requests } = await open({ dialect: 'assemblyai' })
  const url = 'https://api.assemblyai.com/v2/transcript'
  const body = { audio_url: 'https://a.example.com/1.mp3', api_key: 'my-own-secret-1' }
  const answer = { id: 'a1', status: 'queued', webhook: { signing_secret: 'whsec_of_the_service' } }
  mirror.exchange(passed(0, ['POST', url], [200, answer], { body }))
  await mirror.settled()
  const text = JSON.stringify(requests())
  expect(text).toContain('audio_url')
  expect(text).toContain('signing_secret')
  expect(text).not.toMatch(/my-own-secret-1|whsec_of_the_service/)
})

test('requests are in the order of their arrival, whenever they are answered', async () => {
  const { mirror, requests } = await open()
  mirror.exchange(passed(5, ['GET', `${API}/task_1`], [200, shown('processing')]))
  mirror.exchange(passed(0, ['GET', `${API}/task_1`], [200, shown('processing')], { took: 9_000 }))
  await mirror.settled()
  const ids = requests().map(({ id, at }) => [id, at] as const)
  expect(ids.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, at]) => at)).toEqual([
    START,
    START + 5_000,
  ])
})

test('a request that the service does not know, or that breaks off, disturbs nothing', async () => {
  const { mirror, requests } = await open()
  mirror.exchange(passed(0, ['GET', 'https://api.example.com/nowhere'], [404, {}]))
  mirror.exchange(passed(0, ['POST', API], [400, 'no'], { body: ['no object'] }))
  mirror.exchange(
    passed(0, ['POST', API], [201, { id: 'task_2', status: 'new word' }], { body: { other: 1 } }),
  )
  await mirror.settled()
  expect(requests().map(({ operation, status }) => [operation, status])).toEqual([
    [undefined, 404],
    ['tasks.create', 400],
    ['tasks.create', 201],
  ])
})

test('a task that a client deletes before its end is canceled and gone', async () => {
  const { mirror, sim } = await open({ dialect: 'luma' })
  const url = 'https://api.lumalabs.ai/dream-machine/v1/generations'
  const task = { id: 'd439f855-1933-4514-a531-2895880c0b42', state: 'dreaming', model: 'ray-2' }
  mirror.exchange(
    passed(0, ['POST', `${url}/video`], [201, task], { body: { model: 'ray-2', prompt: 'waves' } }),
  )
  mirror.exchange(passed(1, ['DELETE', `${url}/${task.id}`], [204, '']))
  await mirror.settled()
  expect(sim.counters.tasks).toMatchObject({ canceled: 1, processing: 0 })
  expect(await sim.tasks.get(task.id)).toBeUndefined()
})

test('a request of fal that is completed, and whose result is an error, has failed', async () => {
  const { mirror, sim } = await open({ dialect: 'fal' })
  const id = '0b0fdd34-5a3c-4c9c-8a7e-000000000001'
  const url = 'https://queue.fal.run/fal-ai/flux'
  mirror.exchange(
    passed(0, ['POST', url], [200, { request_id: id, status: 'IN_QUEUE' }], { body: { prompt: 'sea' } }),
  )
  mirror.exchange(
    passed(5, ['GET', `${url}/requests/${id}/status`], [200, { request_id: id, status: 'COMPLETED' }]),
  )
  await mirror.settled()
  expect(sim.counters.tasks).toMatchObject({ succeeded: 1 })
  mirror.exchange(
    passed(6, ['GET', `${url}/requests/${id}`], [422, { detail: [{ msg: 'No sea', type: 'bad_sea' }] }]),
  )
  await mirror.settled()
  expect(sim.counters.tasks).toMatchObject({ queued: 0, processing: 0, succeeded: 0, failed: 1 })
})

test('webhooks are deliveries with an attempt for each retry, and show the state of their task', async () => {
  const { mirror, control } = await open({ seesWebhooks: true })
  const body = { ...ORDER, webhook_url: HOOK }
  mirror.exchange(passed(0, ['POST', API], [201, shown('processing')], { body }))
  const event = {
    event: 'task.succeeded',
    task: shown('succeeded', { completed_at: '2026-11-22T10:00:05.000Z' }),
  }
  mirror.webhook(passed(5, ['POST', HOOK], [500, {}], { body: event }))
  mirror.webhook(passed(9, ['POST', HOOK], [204, {}], { body: event, took: 20_000 }))
  mirror.webhook(passed(9, ['POST', HOOK], [204, {}], { body: { about: 'nothing' } }))
  await mirror.settled()
  expect((await control.deliveries.list({ task: 'task_1' })).data).toMatchObject([
    {
      event: 'task.succeeded',
      url: HOOK,
      state: 'delivered',
      attempts: [{ status: 500 }, { status: 204, took_ms: 20_000 }],
    },
  ])
  expect(await control.tasks.get('task_1')).toMatchObject({ status: 'succeeded' })
  expect((await mirror.sim.findings()).map(({ id }) => id)).toEqual(['slow-webhook'])
})

test('rules about what the proxy does not see are not applicable, with the reason', async () => {
  const { sim } = await open()
  const { checked } = await sim.verdict()
  const reasons = Object.fromEntries(
    checked.flatMap(({ id, state, reason }) => (state === 'not_applicable' ? [[id, reason]] : [])),
  )
  expect(Object.keys(reasons)).toEqual(
    expect.arrayContaining(['output-never-downloaded', 'slow-webhook', 'accepts-forged-webhook']),
  )
  expect(reasons['slow-webhook']).toContain('--public-url')
  expect(reasons['polls-too-fast']).toBeUndefined()
})

test.each([
  ['names a webhook', 'tasks', { body: { ...ORDER, webhook_url: HOOK } }],
  ['was created before the recording', 'tasks', undefined],
])(
  'a client is not accused of forgetting a task that %s, if webhooks are not seen',
  async (_, dialect, create) => {
    const { mirror, sim } = await open({ dialect })
    if (create !== undefined) mirror.exchange(passed(0, ['POST', API], [201, shown('processing')], create))
    mirror.exchange(passed(1, ['GET', `${API}/task_1`], [200, shown('processing')]))
    mirror.exchange(passed(9, ['GET', `${API}/task_1`], [200, shown('succeeded')], { isOwn: true }))
    await mirror.settled()
    expect((await sim.verdict({ final: true })).findings).toEqual([])
  },
)

test('a client that forgets a task without a webhook is accused, thanks to the polls of the proxy', async () => {
  const { mirror, sim } = await open()
  mirror.exchange(passed(0, ['POST', API], [201, shown('processing')], { body: ORDER }))
  mirror.exchange(passed(9, ['GET', `${API}/task_1`], [200, shown('succeeded')], { isOwn: true }))
  await mirror.settled()
  expect((await sim.verdict({ final: true })).findings.map(({ id }) => id)).toEqual(['result-never-learned'])
})

test('the control API says what is recorded, and refuses to change a simulation', async () => {
  const { control } = await open()
  expect(await control.state()).toMatchObject({
    recording: { upstream: 'https://api.example.com', file: 'recording.jsonl' },
  })
  const refused = 'this server records https://api.example.com'
  await expect(control.clock.advance('1h')).rejects.toThrow(refused)
  await expect(control.tasks.finish('task_1')).rejects.toThrow(refused)
  await expect(control.reset()).rejects.toThrow(refused)
  await expect(control.observe('output.kept', { task_id: 'task_1', as: 'file' })).resolves.toBeUndefined()
})
