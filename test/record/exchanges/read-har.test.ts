import { expect, it } from 'vitest'
import { readHar } from '../../../src/cli/learn/read-history.js'
import { createRequest } from '../../../src/dialects/requests/create-request.js'
import { exampleOrder } from '../../../src/dialects/requests/example-order.js'
import { pollRequest } from '../../../src/dialects/requests/poll-request.js'
import type { ServiceRequest } from '../../../src/dialects/requests/service-request.js'
import { isoTime } from '../../../src/engine/clock/instants.js'
import type { Task } from '../../../src/engine/tasks/task.js'
import { createSimulator, type Simulator } from '../../../src/index.js'
import { isHar, readHarEntry } from '../../../src/record/exchanges/har.js'
import { send } from '../../dialects/created.js'
import { sampleOf } from '../../support/deep.js'

const KEY = 'sk_live_local'
const ERROR = { code: 'invalid_input', message: 'The prompt is empty.' }
const scenario = { defaults: { queueing: '3s', delay: '7s', failures: { rate: 0 } } } as const

/** A response of OpenAI that does not run in the background ends with the answer to its request. */
const EXTRA = { kept: { background: true } }

/** Plays a client that creates a task and polls it, and exports what a proxy has seen. */
async function play(name: string, failure?: typeof ERROR) {
  const sim = createSimulator({ clock: 'manual', scenario })
  const dialect = await sim.dialects.load(name)
  const destination = { origin: dialect.hosts[0]?.origin ?? 'https://api.test', key: KEY }
  const entries: object[] = []
  const exchange = async (request: ServiceRequest) => void entries.push(await entryOf(sim, name, request))
  await exchange(
    createRequest(dialect, { ...exampleOrder(dialect), webhookUrl: undefined, extra: EXTRA }, destination),
  )
  const task = (await sim.tasks.list({ limit: 1 }))?.tasks[0] as Task
  const poll = pollRequest(dialect, task, destination) as ServiceRequest
  for (let number = 0; number < 12; number++) {
    await sim.clock.advance('1s')
    if (number === 5 && failure !== undefined)
      await sim.tasks.finish(task.id, { outcome: 'failed', error: failure })
    await exchange(poll)
  }
  if (name === 'fal') await exchange({ ...poll, url: poll.url.replace(/\/status$/, '') })
  const har = JSON.stringify({
    log: { version: '1.2', creator: { name: 'x', version: '1' }, pages: [], entries },
  })
  const pieces = (async function* () {
    for (let at = 0; at < har.length; at += 1_000) yield har.slice(at, at + 1_000)
  })()
  const skipped: string[] = []
  const tasks = []
  for await (const each of readHar(pieces, dialect, ({ message }) => skipped.push(message))) tasks.push(each)
  return { task: (await sim.tasks.get(task.id)) as Task, tasks, skipped, har }
}

async function entryOf(sim: Simulator, name: string, request: ServiceRequest): Promise<object> {
  const { method, url, headers, body } = request
  const startedDateTime = new Date(sim.clock.now()).toISOString()
  const { pathname, search, origin } = new URL(url)
  const host = (await sim.dialects.load(name)).hosts.find((each) => each.origin === origin)
  const mount = name === 'tasks' ? '' : `/${name}`
  const reply = await send(sim, {
    ...request,
    url: `http://127.0.0.1:4010${mount}${host?.path ?? ''}${pathname}${search}`,
  })
  return {
    startedDateTime,
    time: 0,
    request: {
      method,
      url,
      headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
      ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status: reply.status,
      headers: [],
      content: { mimeType: 'application/json', text: String(reply.body) },
    },
  }
}

const { names } = createSimulator().dialects

it.each(sampleOf(8, names))('the tasks of a client of %s are read from its requests', async (name) => {
  const { task, tasks, skipped } = await play(name)
  const [seen] = tasks
  expect([tasks.length, skipped]).toEqual([1, []])
  expect(seen).toMatchObject({
    id: task.id,
    dialect: name,
    model: task.model,
    input: task.input,
    status: 'succeeded',
  })
  const precision = 1_000
  for (const [time, actual] of [
    [seen?.createdAt, task.createdAt],
    [seen?.endedAt, task.completedAt],
  ] as const) {
    expect(time).toBeGreaterThanOrEqual((actual ?? 0) - precision)
    expect(time).toBeLessThanOrEqual((actual ?? 0) + precision)
  }
})

it.each(sampleOf(6, names))('a failure of a task of %s is read from the answers', async (name) => {
  const { tasks } = await play(name, ERROR)
  expect(tasks).toEqual([expect.objectContaining({ status: 'failed' })])
  // This service never says why.
  if (name !== 'leonardo') expect(tasks[0]?.error?.message).toContain(ERROR.message)
})

it('an entry without a request is skipped with a reason', async () => {
  const skipped: string[] = []
  const pieces = (async function* () {
    yield '{"log": {"entries": [{"startedDateTime": "2026-01-01"}, 7]}}'
  })()
  const dialect = await createSimulator().dialects.load('tasks')
  for await (const _ of readHar(pieces, dialect, ({ message }) => skipped.push(message))) expect.unreachable()
  expect(skipped).toHaveLength(2)
})

it.each([
  ['eyJpZCI6MX0=', { id: 1 }],
  ['{"id": 1}', undefined],
])('an answer that is said to be base64, %s, has the body %j', (text, body) => {
  const entry = {
    startedDateTime: '2026-01-01T00:00:00Z',
    request: { method: 'GET', url: 'https://api.test/' },
    response: { status: 200, headers: [], content: { encoding: 'base64', text } },
  }
  expect(readHarEntry(entry).answer).toMatchObject({ status: 200, body })
})

it.each([1e300, -1, 'soon'])('an entry that took %j has an end that can be written', (time) => {
  const request = { method: 'GET', url: 'https://api.test/' }
  const { answeredAt } = readHarEntry({
    startedDateTime: '2026-01-01T00:00:00Z',
    time,
    request,
    response: {},
  })
  expect(isoTime(answeredAt)).toMatch(/^20|^21/)
})

it('a HAR file is recognized by its start', () => {
  expect(['\uFEFF{ "log": {', '{"id": "log"}', '[{"log": 1}]'].map(isHar)).toEqual([true, false, false])
})
