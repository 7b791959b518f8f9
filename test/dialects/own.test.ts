import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dialectStarter } from '../../src/cli/init/starters.js'
import { listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type DialectTable, parseDialect } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeDialect } from './describe-dialect.js'

const TEXT = dialectStarter('', 'acme')
const acme = parseDialect(TEXT, 'acme.yaml')
const KEY = { authorization: 'Bearer key' }

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  it('answers in the format that the file of the user describes', async () => {
    const { sim, base, get, post, remove } = await open({ dialects: [acme] })
    const job = await post('/v1/jobs', { prompt: 'waves' })
    expect(job).toMatchObject({ status: 202, body: { state: 'running', created: 1_767_225_600 } })
    await sim.clock.advance('1m')
    const { body } = await get(`/v1/jobs/${job.body.id}`)
    expect(body).toMatchObject({ state: 'done', urls: [expect.stringContaining(`/files/${body.id}/0.mp4`)] })
    expect((await get('/v1/jobs')).body.jobs).toMatchObject([{ id: body.id, state: 'done' }])
    expect(await post('/v1/jobs', {})).toMatchObject({
      status: 400,
      body: { message: 'The field `prompt` is missing.', status: 400 },
    })
    expect((await remove(`/v1/jobs/${body.id}`)).status).toBe(204)
    expect(base).toMatch(/\/acme$|^https:\/\/api\.acme\.example$/)
  })

  it('belongs to sandboxes as well', async () => {
    const { sim, post } = await open({ dialects: [acme] })
    const { identity, sim: sandbox } = sim.createSandbox()
    const created: string[] = []
    sandbox.on('task.created', (task) => created.push(task.id))
    await post('/v1/jobs', { prompt: 'waves' })
    expect(await createIn(sim, identity.key)).toMatchObject({ id: expect.stringMatching(/^job_/) })
    expect(created).toEqual([expect.stringMatching(/^job_/)])
  })
})

const WAITING = `
name: waiting
title: Waiting
hosts: [https://api.waiting.example]
key: { scheme: Bearer }
ids: { prefix: job_, characters: hex, length: 12 }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}" }
error: { body: { reason: "{{message}}" } }
operations:
  POST /jobs: { action: create, kind: video, model: acme-1, wait: 600000, wait_if: "{{body.mode}}" }
`

describeDialect('waiting', 'https://api.waiting.example', KEY, (open) => {
  it.each([
    ['sync', 'done'],
    [true, 'done'],
    [false, 'running'],
    [null, 'running'],
    [undefined, 'running'],
  ])('a condition with the value %j holds as its reference says: the answer is %s', async (mode, state) => {
    const { sim, post } = await open({ dialects: [parseDialect(WAITING)] })
    const created = post('/jobs', { prompt: 'waves', mode })
    expect((await advanceUntilDone(sim, created)).body).toMatchObject({ state })
  })
})

/** Sends a create request to a dialect of a simulator. */
async function createIn(sim: ReturnType<typeof createSimulator>, key = 'key'): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const request = new Request('https://api.acme.example/v1/jobs', {
    method: 'POST',
    headers,
    body: '{"prompt":"x"}',
  })
  return (await getResponse(handlers(sim, { dialect: 'acme' }), request))?.json()
}

describe('the dialects of a simulator', () => {
  const french: DialectTable = parseDialect(TEXT.replace('running', 'en_cours'))

  it('are unknown to other simulators', async () => {
    const sims = [createSimulator({ dialects: [acme] }), createSimulator({ dialects: [french] })]
    expect(await Promise.all(sims.map((sim) => createIn(sim)))).toMatchObject([
      { state: 'running' },
      { state: 'en_cours' },
    ])
    expect(() => handlers(createSimulator(), { dialect: 'acme' })).toThrow('There is no dialect "acme"')
  })

  it('can be replaced while it runs', async () => {
    const sim = createSimulator({ dialects: [acme], clock: 'manual' })
    expect(await createIn(sim)).toMatchObject({ state: 'running' })
    sim.dialects.add(french)
    expect(sim.dialects.get('acme')).toBeDefined()
    expect(await createIn(sim)).toMatchObject({ state: 'en_cours' })
  })

  it('may be at the root as well', () => {
    expect(() => createSimulator({ dialects: [acme], rootDialect: 'acme' })).not.toThrow()
    expect(() => createSimulator({ dialects: [acme], rootDialect: 'acne' })).toThrow('did you mean `acme`?')
  })

  it.each([
    ['luma', 'tasksim has a dialect with this name'],
    ['tasks', 'tasksim has a dialect with this name'],
    ['files', 'paths below /files have another meaning'],
    ['api', 'paths below /api have another meaning'],
    ['v1', 'paths below /v1 have another meaning'],
  ])('cannot have the name %s', (name, why) => {
    expect(() => createSimulator({ dialects: [{ ...acme, name }] })).toThrow(
      `Cannot add the dialect "${name}": ${why}; use another name.`,
    )
  })

  it.each<[string, unknown]>([
    ['a text', TEXT],
    ['a list of texts', [TEXT]],
    ['an object that was not parsed', [{ name: 'acme', operations: {} }]],
  ])('are results of parseDialect, not %s', (_, given) => {
    expect(() => createSimulator({ dialects: given as never })).toThrow(
      /^Expected `dialects` to be a list of results of `parseDialect`, got .{1,100}$/,
    )
  })

  it('need hosts to answer in process', () => {
    const { hosts: _, ...table } = acme
    expect(() => handlers(createSimulator({ dialects: [table] }), { dialect: 'acme' })).toThrow(
      'has no `hosts`',
    )
  })
})

it.each([
  ['/acme/v1/job', 'GET /acme/v1/jobs, POST /acme/v1/jobs, GET /acme/v1/jobs/{task_id}'],
  ['/v1/job', 'GET /v1/jobs, POST /v1/jobs, GET /v1/jobs/{task_id}'],
])('the error of the unknown path %s has the paths that the client could have used', async (path, paths) => {
  const sim = createSimulator({ dialects: [acme], rootDialect: 'acme' })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(close)
  const response = await fetch(new URL(path, baseUrl), { headers: KEY })
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({
    message: `There is nothing at GET ${path}. The dialect acme has ${paths}, and others: GET /_sim/dialects/acme/openapi.json describes all 5.`,
    status: 404,
  })
})

it('a path that only looks like that of a task is unknown, and that of a task lacks the method', async () => {
  const sim = createSimulator({ dialects: [acme], rootDialect: 'acme' })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(close)
  const statusOf = async (path: string) =>
    (await fetch(new URL(path, baseUrl), { method: 'PUT', headers: KEY })).status
  expect(await statusOf('/v1/jobs/batch')).toBe(404)
  expect(await statusOf('/v1/jobs/job_7dQpX2mB0cVf4NzKa1Ls')).toBe(405)
})
