import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { answerNow } from '../../src/control/tasks/answer-now.js'
import type { Dialect } from '../../src/dialects/dialect.js'
import { findOperation } from '../../src/dialects/reading/find-operation.js'
import { firstPage, listForms, readPage } from '../../src/dialects/reading/list-pages.js'
import { readTask } from '../../src/dialects/reading/read-task.js'
import { createForms } from '../../src/dialects/requests/create-form.js'
import { createRequest } from '../../src/dialects/requests/create-request.js'
import type { ServiceRequest } from '../../src/dialects/requests/service-request.js'
import type { Status, Task } from '../../src/engine/tasks/task.js'
import type { Exchange } from '../../src/http/operation.js'
import { createSimulator, type Simulator } from '../../src/index.js'
import { sampleOf } from '../support/deep.js'
import { created, orderOf, send } from './created.js'

const SERVER = { origin: 'http://127.0.0.1:4010', key: 'sk_live_local' }
const scenario = { defaults: { queueing: '1s', delay: '4s' } } as const
const FAILURES = ['invalid_input', 'timeout'].map((code) => ({ code, message: `It was ${code}.` }))

/** Where a server has a dialect. */
function serviceOf(name: string) {
  return { base: name === 'tasks' ? SERVER.origin : `${SERVER.origin}/${name}`, key: SERVER.key }
}

const { names } = createSimulator().dialects

it.each(sampleOf(3, names))('answers of %s are read as its tasks are', async (name) => {
  const sim = createSimulator({ clock: 'manual', scenario })
  const dialect = await sim.dialects.load(name)
  const seen = new Set<string>()
  for (const form of createForms(dialect).filter(({ source }) => source === undefined)) {
    for (const error of [undefined, ...FAILURES]) {
      const order = { ...orderOf(dialect, form, { note: error?.code ?? '' }), webhookUrl: undefined }
      const { id } = await created(sim, createRequest(dialect, order, SERVER))
      const see = async () => {
        for (const field of await compare(sim, dialect, id)) seen.add(field)
      }
      await see()
      await sim.clock.advance('2s')
      await see()
      if (error !== undefined) await sim.tasks.finish(id, { outcome: 'failed', error })
      await sim.clock.advance('4s')
      await see()
    }
  }
  // A file of its own: those of dialects outside the sample are not obsolete.
  await expect([...seen].sort().join('\n')).toMatchFileSnapshot(`__snapshots__/reading/${name}.txt`)
})

/** Compares what is read from the answer to a poll. @returns the fields that were found, after the state of the task */
async function compare(sim: Simulator, dialect: Dialect, id: string): Promise<string[]> {
  const task = (await sim.tasks.get(id)) as Task
  const exchange = { id: 'r', sim, request: { origin: SERVER.origin } } as unknown as Exchange
  const answered = JSON.parse((await answerNow(task, exchange)).body ?? '{}')
  const { status, output, error, queueMs, runMs, ...seen } = readTask(
    dialect,
    answered[dialect.answers.task ?? ''] ?? answered,
  )
  expect(wordOf(dialect, status)).toBe(wordOf(dialect, task.status))
  const found = Object.entries({
    ...seen,
    'error.code': error?.code,
    'error.message': error?.message,
    queueMs,
    runMs,
  }).filter(([, value]) => value !== undefined)
  const actual: Record<string, unknown> = {
    ...{ ...task, endedAt: task.completedAt },
    ...{ 'error.code': task.error?.code, 'error.message': task.error?.message },
    ...durationsOf(task),
  }
  const isWhole = seen.input === undefined || isDeepStrictEqual(seen.input, task.input)
  expect(Object.fromEntries(found)).toEqual({
    ...Object.fromEntries(found.map(([field]) => [field, actual[field]])),
    ...(seen.input !== undefined && { input: fieldsOf(task.input, Object.keys(seen.input)) }),
  })
  const outputs = Object.keys(output ?? {}).map((field) => `output.${field}`)
  const names = found.flatMap(([field]) =>
    field === 'input' && !isWhole ? Object.keys(seen.input ?? {}).map((name) => `input.${name}`) : [field],
  )
  return [...names, ...outputs].map((field) => `${task.status}: ${field}`)
}

/** Some services show only a few fields of the input. */
function fieldsOf(input: Task['input'], names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, input[name]]))
}

function durationsOf({ createdAt, startedAt, completedAt }: Task) {
  const run = startedAt !== undefined && completedAt !== undefined ? completedAt - startedAt : 0
  return { queueMs: startedAt === undefined ? undefined : startedAt - createdAt, runMs: run }
}

/** Several states may have one word. */
function wordOf({ table }: Dialect, status: Status | undefined): string | undefined {
  return status && (table?.statuses[status].word ?? status)
}

it.each(['tasks', 'replicate', 'luma', 'assemblyai', 'openai'])(
  'the pages of the list of %s lead to every task',
  async (name) => {
    const sim = createSimulator({ clock: 'manual', scenario })
    const dialect = await sim.dialects.load(name)
    const [list] = listForms(dialect)
    const form = createForms(dialect).findLast(({ source }) => source === undefined)
    if (list === undefined || form === undefined) throw new Error('There is no list')
    const ids: string[] = []
    for (let number = 0; number < 5; number++) {
      const order = { ...orderOf(dialect, form, { variant: `${number}` }), webhookUrl: undefined }
      ids.unshift((await created(sim, createRequest(dialect, order, SERVER))).id)
    }
    const listed: unknown[] = []
    const first = firstPage(dialect, { ...list, limit: { ...list.limit, max: 2 } }, serviceOf(name))
    for (let request: ServiceRequest | undefined = first; request !== undefined; ) {
      const { body } = await send(sim, request)
      const page = readPage(dialect, list, request, JSON.parse(String(body)))
      expect(page.tasks.length).toBeLessThanOrEqual(2)
      listed.push(...page.tasks.map((task) => readTask(dialect, task).id))
      request = page.next
    }
    expect(listed).toEqual(ids)
  },
)

it.each([
  ['/videos/models', undefined],
  ['/videos/gen-vid-1', 'gen-vid-1'],
  ['/videos/gen-vid-1/content?index=0', 'gen-vid-1'],
])('a request to %s of OpenRouter is about the task %s', async (path, id) => {
  const dialect = await createSimulator().dialects.load('openrouter')
  const url = `https://openrouter.ai/api/v1${path}`
  expect(findOperation(dialect, { method: 'GET', url })?.taskId).toBe(id)
})

it('a link to another server is not followed', async () => {
  const dialect = await createSimulator().dialects.load('replicate')
  const [list] = listForms(dialect)
  if (list === undefined) throw new Error('There is no list')
  const body = {
    next: 'https://other.test/v1/predictions?cursor=x',
    results: [{ id: 'a', status: 'starting' }],
  }
  const page = readPage(dialect, list, firstPage(dialect, list, serviceOf('replicate')), body)
  expect([page.tasks.length, page.next]).toEqual([1, undefined])
})

it.each([
  ['tasks', 'https://api.example.com', '/api/v1/tasks'],
  ['tasks', 'https://api.example.com/api/v1', '/api/v1/tasks'],
  ['tasks', 'https://api.example.com/v1/', '/v1/tasks'],
  ['replicate', 'https://api.replicate.com', '/v1/predictions'],
  ['replicate', 'http://127.0.0.1:4010/replicate/v1', '/replicate/v1/predictions'],
])('the list of %s with the base URL %s is at %s', async (name, base, path) => {
  const dialect = await createSimulator().dialects.load(name)
  const [list] = listForms(dialect)
  if (list === undefined) throw new Error('There is no list')
  expect(new URL(firstPage(dialect, list, { base, key: 'k' }).url).pathname).toBe(path)
})

it.each([1e300, -1e300, 8.64e12, 253_402_300_800, -62_135_596_801])(
  'an answer with the time %d, which is not in the years 1 to 9999, has no time',
  async (time) => {
    const dialect = await createSimulator().dialects.load('openai')
    const answer = {
      id: 'video_1',
      object: 'video',
      status: 'completed',
      created_at: time,
      completed_at: time,
    }
    expect(readTask(dialect, answer)).toMatchObject({
      status: 'succeeded',
      createdAt: undefined,
      endedAt: undefined,
    })
  },
)
