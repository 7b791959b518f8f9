import { expect, it } from 'vitest'
import { parseDialect } from '../../src/index.js'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }

const TEXT = `
name: acme
title: Acme
hosts: [https://api.acme.example]
key: { scheme: Bearer }
ids: { prefix: job_, characters: hex }
poll_interval: 1s
statuses: { queued: waiting, processing: running, succeeded: done, failed: broken, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}", kind: job }
objects:
  film:
    ids: { prefix: film_, characters: digits }
    poll_interval: 1m
    statuses: { queued: planned, processing: shooting, succeeded: out, failed: dropped, canceled: dropped }
    task: { id: "{{id}}", state: "{{status}}", title: "{{input.title}}" }
    webhook: { events: { succeeded: film.out, failed: film.dropped }, body: { event: "{{event}}", film: "{{id}}" } }
error: { body: { message: "{{message}}" } }
operations:
  POST /jobs: { action: create, kind: llm, model: m, input: "{{body}}" }
  GET /jobs: { action: list, answer: { items: "{{tasks}}" } }
  GET /jobs/{task_id}: retrieve
  POST /films: { action: create, object: film, kind: video, model: m, input: "{{body}}", from: form }
  GET /films:
    action: list
    object: film
    answer: { items: "{{tasks}}", older: "{{next_url}}", newer: "{{newer_url}}" }
    item: { film: "{{task}}" }
    after: after
    before: before
  GET /films/{task_id}: { action: retrieve, object: film }
  POST /films/{task_id}/stop: { action: cancel, object: film }
  GET /films/{task_id}/reel: { action: file, object: film }
webhook: { events: { succeeded: job.done }, body: { job: "{{id}}" } }
`
const ACME = parseDialect(TEXT)
const JOB = { messages: [{ role: 'user', content: 'Hello' }] }

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  it('gives tasks of each type their own ids, words and fields, and finds them only among their like', async () => {
    const { sim, get, post } = await open({ dialects: [ACME] })
    const job = (await post('/jobs', JOB)).body
    const film = (await post('/films', { prompt: 'waves', title: 'Sea' })).body
    expect(job).toEqual({ id: expect.stringMatching(/^job_[0-9a-f]{24}$/), state: 'running', kind: 'job' })
    expect(film).toEqual({ id: expect.stringMatching(/^film_\d{24}$/), state: 'shooting', title: 'Sea' })
    expect((await get('/jobs')).body).toEqual({ items: [job] })
    expect((await get('/films')).body).toEqual({ items: [{ film }] })
    for (const path of [`/jobs/${film.id}`, `/films/${job.id}`, `/films/${job.id}/reel`])
      expect((await get(path)).status).toBe(404)
    expect((await post(`/films/${job.id}/stop`)).status).toBe(404)
    await sim.clock.advance('1m')
    expect((await get(`/films/${film.id}`)).body.state).toBe('out')
    expect((await get(`/films/${film.id}/reel`)).headers.get('content-type')).toBe('video/mp4')
  })

  it('links a page to newer or older tasks of the same type only', async () => {
    const { get, post } = await open({ dialects: [ACME] })
    const ids: string[] = []
    for (const path of ['/jobs', '/films', '/films', '/jobs'])
      ids.push((await post(path, { ...JOB, prompt: 'waves' })).body.id)
    const [oldest, older, newer, newest] = ids
    const read = async (query: string) => (await get(`/films?${query}`)).body
    for (const query of [`after=${newest}`, `before=${oldest}`])
      expect(await read(query)).toEqual({ items: [expect.anything(), expect.anything()] })
    expect(await read(`after=${newer}`)).toEqual({
      items: [expect.anything()],
      newer: expect.stringContaining(`before=${older}`),
    })
    expect(await read(`before=${older}`)).toEqual({
      items: [expect.anything()],
      older: expect.stringContaining(`after=${newer}`),
    })
  })

  it('sends webhooks about each type in its own form', async () => {
    const { url, received } = await startReceiver()
    const { sim, post } = await open({ dialects: [ACME], scenario: { webhooks: { receivers: [url] } } })
    const job = (await post('/jobs', JOB)).body
    const film = (await post('/films', { prompt: 'waves' })).body
    await sim.clock.advance('1m')
    const bodies = received.map(({ json }) => json)
    expect(bodies).toContainEqual({ job: job.id })
    expect(bodies).toContainEqual({ event: 'film.out', film: film.id })
  })

  it('recommends an interval of polls for each type', async () => {
    const { sim, post } = await open({ dialects: [ACME] })
    const { pollInterval } = await sim.dialects.load('acme')
    const intervals: unknown[] = []
    for (const [path, body] of [
      ['/jobs', JOB],
      ['/films', { prompt: 'waves' }],
    ] as const) {
      const task = await sim.tasks.get((await post(path, body)).body.id)
      intervals.push(task && pollInterval?.(task))
    }
    expect(intervals).toEqual([1_000, 60_000])
  })

  it('reads a creation that is a form, and keeps its files', async () => {
    const { sim, send } = await open({ dialects: [ACME] })
    const form = new FormData()
    for (const [name, value] of [
      ['prompt', 'waves'],
      ['tags[]', 'sea'],
      ['tags[]', 'calm'],
      ['style[color]', 'blue'],
      ['style[grain][size]', 'fine'],
      ['__proto__[admin]', 'yes'],
    ] as const)
      form.append(name, value)
    form.append('cast[]', new File(['a cat'], 'cat.png', { type: 'image/png' }))
    const { status, body } = await send('/films', { method: 'POST', body: form })
    expect(status).toBe(200)
    const { input } = (await sim.tasks.get(body.id)) ?? {}
    expect(input).toMatchObject({
      prompt: 'waves',
      tags: ['sea', 'calm'],
      style: { color: 'blue', grain: { size: 'fine' } },
      cast: [expect.stringMatching(/\/files\/uploads\/\w+\/cat\.png\?/)],
    })
    expect('admin' in (input ?? {})).toBe(false)
    const text = (init: RequestInit) => send('/jobs', { method: 'POST', ...init })
    expect((await text({ body: form })).status).toBe(415)
  })

  it('keeps no file of a creation that it rejects', async () => {
    const limits = { seconds: { min: 1 } }
    const { sim, send } = await open({ dialects: [ACME], scenario: { defaults: { limits } } })
    const form = new FormData()
    form.append('duration', '-1')
    for (const name of ['a.png', 'b.png']) form.append('cast[]', new File(['a cat'], name))
    expect((await send('/films', { method: 'POST', body: form })).status).toBe(400)
    expect([...(await sim.uploads()).all()]).toEqual([])
  })
})

it.each([
  [
    'state: "{{status}}", title',
    'status: "{{status}}", title',
    'the task of `film` must have {{status}} in the field `state`',
  ],
  [
    'action: retrieve, object: film',
    'action: retrieve, object: flim',
    'names the unknown object `flim`; expected `film`',
  ],
])('a mistake about objects is reported', (old, wrong, message) => {
  expect(() => parseDialect(TEXT.replace(old, wrong))).toThrow(message)
})
