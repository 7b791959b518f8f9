import { expect, it } from 'vitest'
import { parseDialect } from '../../src/index.js'
import { describeDialect } from './describe-dialect.js'

/** A service that the scenario configures, with several prefixes and texts of its own. */
const ACME = parseDialect(`
name: acme
title: Acme
hosts: [https://api.acme.example]
prefix: /api/jobs
aliases: [/jobs, /api/job]
help: Jobs are at /api/jobs.
configurable: true
ids: { prefix: job_, characters: hex }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}", self: "{{base}}/api/jobs/{{id}}" }
error: { body: { why: "{{message}}", field: "{{param}}" } }
operations:
  POST /:
    action: create
    input: "{{body.input}}"
    require: { model: the name of a model, input: a mapping }
    check_input: true
  GET /:
    action: list
    answer: { jobs: "{{tasks}}", next: "{{next_cursor or null}}" }
    after: after
    filters: { model: model }
  GET /{task_id}: retrieve
  POST /{task_id}/stop: cancel
webhook:
  url: "{{body.hook}}"
  events: { succeeded: job.done, canceled: job.stopped }
  signature: { header: Acme-Signature }
`)

const HOST = 'https://api.acme.example'
const IMAGE = { model: 'acme/image-1', input: { prompt: 'a cat' } }

describeDialect('acme', HOST, { authorization: 'k' }, (open) => {
  const acme = (scenario: object = {}) => open({ clock: 'manual', dialects: [ACME], scenario })

  it('has the same operations below each of its prefixes', async () => {
    const { base, get, post } = await acme()
    for (const prefix of ['/api/jobs', '/jobs', '/api/job', '/api/jobs/']) {
      const { id, self } = (await post(prefix, IMAGE)).body
      expect(self).toBe(`${base}/api/jobs/${id}`)
      expect((await get(`${prefix.replace(/\/$/, '')}/${id}`)).body).toEqual({ id, state: 'running', self })
    }
    expect((await get('/jobs')).body.jobs).toHaveLength(4)
  })

  it.each([
    ['no model', { input: {} }, 'model', 'The field `model` is missing: give the name of a model.'],
    ['null', { model: 'm', input: null }, 'input', 'The field `input` must be a mapping; got null.'],
    ['no input before a webhook', { model: 'm', hook: 1 }, 'input', 'is missing: give a mapping.'],
    [
      'a wrong input before a webhook',
      { model: 'acme/llm-1', input: { messages: 1 }, hook: 1 },
      'input.messages',
      'must be',
    ],
    ['a wrong webhook', { ...IMAGE, hook: 1 }, 'hook', 'The field `hook` must be'],
  ])('checks the model, then the input, then the webhook: %s', async (_, body, field, why) => {
    const { post } = await acme()
    const answer = await post('/api/jobs', body)
    expect(answer).toMatchObject({ status: 400, body: { field, why: expect.stringContaining(why) } })
  })

  it('lists the tasks of a model, and says what a cursor must be', async () => {
    const { get, post } = await acme()
    await post('/jobs', IMAGE)
    const { id } = (await post('/jobs', { ...IMAGE, model: 'acme/image-2' })).body
    expect((await get('/jobs?model=acme/image-2')).body).toMatchObject({ jobs: [{ id }], next: null })
    expect((await get('/jobs?after=job_0')).body.why).toMatch(
      /^The query parameter `after` must be the `next` of a page that you got, or one of your own tasks' ids/,
    )
  })

  it('recognizes an id of any length by its prefix', async () => {
    const { request, base } = await acme()
    const statusOf = async (id: string) =>
      (await request(`${base}/api/jobs/${id}`, { method: 'PUT', headers: { authorization: 'k' } })).status
    expect([await statusOf('job_0'), await statusOf('batch')]).toEqual([405, 404])
  })

  it('has the status, the errors and the cancellation that the scenario asks for', async () => {
    const api = { create_status: 201, errors: 'problem', cancel: false, hide_queue: true }
    const { get, post } = await acme({ api, capacity: { running: 1 } })
    await post('/jobs', IMAGE)
    const { status, body } = await post('/jobs', IMAGE)
    expect([status, body.state, (await get(`/jobs/${body.id}`)).body.state]).toEqual([
      201,
      'running',
      'waiting',
    ])
    const stopped = await post(`/jobs/${body.id}/stop`)
    expect(stopped.headers.get('content-type')).toBe('application/problem+json')
    expect(stopped).toMatchObject({ status: 404, body: { title: 'not_found', status: 404 } })
  })

  it('has the webhooks that the scenario asks for', async () => {
    const { sim } = await acme({
      webhooks: {
        ...{ secret: 'own secret', retries: ['2s'], timeout: '3s', honor_retry_after: true },
        ...{ signature: { header: 'X-Own', prefix: 'v1=' }, canceled_event: 'none' },
      },
    })
    await sim.dialects.load('acme')
    const format = sim.dialects.get('acme')?.webhooks(sim.scenario) ?? expect.unreachable()
    expect(format).toMatchObject({ secret: 'own secret', timeout: 3_000, honorsRetryAfter: true })
    expect(format.retriesOf('task.succeeded')).toEqual([2_000])
    expect(format.nameOf('task.canceled')).toBeUndefined()
    const message = { id: 'x', at: 0, body: new Uint8Array() }
    expect(await format.sign(message, 's')).toEqual({ 'X-Own': expect.stringMatching(/^v1=[0-9a-f]{64}$/) })
    expect(format.malformed).toEqual({ 'X-Own': 'v1=not-a-signature' })
  })
})

it('an unknown path gets the help of the file', async () => {
  const { createSimulator } = await import('../../src/index.js')
  const { answer } = await import('../../src/hosts/api.js')
  const sim = createSimulator({ dialects: [ACME] })
  const { status, body } = await answer(sim, {
    ...{ method: 'GET', path: '/acme/other', query: '', origin: 'http://localhost' },
    header: () => undefined,
    body: async () => undefined,
  })
  expect(status).toBe(404)
  expect(body).toContain('There is nothing at GET /acme/other. Jobs are at /api/jobs.')
})
