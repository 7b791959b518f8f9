import { describe, expect, it } from 'vitest'
import { entryShape } from '../../src/control/journal/entry-shape.js'
import { parseDialect, type ScenarioInput } from '../../src/index.js'
import { describeDialect } from './describe-dialect.js'

const ACME = `
name: acme
title: Acme
hosts: [https://api.acme.example]
key: { scheme: Bearer, or: [{ header: X-Acme-Key }, { header: X-Other, query: acme_key }] }
ids: { prefix: "job:2026/", characters: hex, length: 12 }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}" }
error:
  body: { reason: "{{type}}" }
  types: { 200: { code: 7, text: refused } }
  by_code: { task_not_found: { status: 200 }, invalid_request: { status: 422 } }
operations:
  POST /jobs:
    action: create
    kind: video
    model: acme-1
    reject: [{ if: "{{body.draft}}", status: 200, message: No drafts. }]
  GET /job: { action: retrieve, task: "{{query.job_id}}" }
  POST /stop: { action: cancel, task: "{{header.x-job-id}}" }
  POST /poll: { action: retrieve, task: "{{body.job.name | without_prefix jobs/}}" }
  POST /remove: { action: delete, task: "{{body.job_id}}" }
  GET /video:
    action: file
    task: "{{query.job_id}}"
    states: { processing: { status: 202, answer: { state: "{{status}}" } } }
`

const KEY = { authorization: 'Bearer sk_live_local' }

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  const started = async (scenario: ScenarioInput = {}) => {
    const opened = await open({ dialects: [parseDialect(ACME)], scenario })
    const { body } = await opened.post('/jobs', { prompt: 'waves' })
    return { ...opened, id: body.id, query: `?job_id=${encodeURIComponent(body.id)}` }
  }

  it('finds a task by an id in the query, which may contain a colon and a slash', async () => {
    const { sim, get, id, query } = await started()
    expect(id).toMatch(/^job:2026\/[0-9a-f]{12}$/)
    expect((await get(`/job${query}`)).body).toEqual({ id, state: 'running' })
    await sim.clock.advance('1m')
    expect((await get(`/job${query}`)).body).toEqual({ id, state: 'done' })
  })

  it('answers with 202 in place of a file until there is one', async () => {
    const { sim, get, request, base, query } = await started()
    expect(await get(`/video${query}`)).toMatchObject({ status: 202, body: { state: 'running' } })
    await sim.clock.advance('1m')
    expect((await request(`${base}/video${query}`, { headers: KEY })).status).toBe(200)
  })

  it('takes the key from the first place that has one, and records it nowhere', async () => {
    const { sim, request, base, query } = await started({ auth: { keys: [KEY.authorization.slice(7)] } })
    const key = KEY.authorization.slice(7)
    const statusWith = async (more: string, headers: Record<string, string>) =>
      (await request(`${base}/job${query}${more}`, { headers })).status
    expect(await statusWith('', {})).toBe(401)
    expect(await statusWith('', { 'x-acme-key': key })).toBe(200)
    expect(await statusWith('', { 'x-other': key })).toBe(200)
    expect(await statusWith(`&acme_key=${key}`, {})).toBe(200)
    expect(await statusWith('', { authorization: 'Bearer wrong-key', 'x-acme-key': key })).toBe(401)
    const shown = await Promise.all(
      [...sim.journal.entries()].map((entry) => JSON.stringify(entryShape(entry))),
    )
    expect(shown.filter((text) => text.includes(key))).toEqual([])
    expect(shown.filter((text) => text.includes('acme_key=***'))).toHaveLength(1)
  })

  it('cancels a task by an id in a header', async () => {
    const { request, base, id } = await started()
    const response = await request(`${base}/stop`, { method: 'POST', headers: { ...KEY, 'x-job-id': id } })
    expect(await response.json()).toEqual({ id, state: 'stopped' })
  })

  it('finds a task by an id in the body, which may be a part of a name, also for faults', async () => {
    const { sim, post, id } = await started({
      faults: [{ when: { operation: 'tasks.retrieve', model: 'acme-1', nth: 1 }, then: 503 }],
    })
    const poll = { job: { name: `jobs/${id}` } }
    expect(await post('/poll', poll)).toMatchObject({ status: 503 })
    expect((await post('/poll', poll)).body).toEqual({ id, state: 'running' })
    await sim.clock.advance('1m')
    expect(await post('/remove', { job_id: id })).toMatchObject({ status: 204 })
    expect((await post('/remove', { job_id: id })).body).toMatchObject({ reason: { code: 7 } })
    expect(await post('/remove', [])).toMatchObject({ status: 422 })
  })

  it('reads the id in a body after the limits, and faults apply if the body is invalid', async () => {
    const { sim, post, send, id } = await started({
      rate_limits: [{ operation: 'tasks.retrieve', requests: 1, per: '1h' }],
      faults: [{ when: { operation: 'tasks.delete' }, then: 503 }],
    })
    const invalid = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }
    expect(await send('/remove', invalid)).toMatchObject({ status: 503 })
    expect(await send('/poll', invalid)).toMatchObject({ status: 400 })
    expect(await send('/poll', invalid)).toMatchObject({ status: 429 })
    expect(await post('/poll', { job: { name: `jobs/${id}` } })).toMatchObject({ status: 429 })
    const requests = [...sim.journal.entries()].flatMap((entry) =>
      entry.type === 'request' ? [entry.request] : [],
    )
    expect(requests.at(-1)).toMatchObject({ status: 429, taskId: id })
  })

  it('rejects with 200 and a mapping as the type, if the service does', async () => {
    const { get, post } = await started()
    const refused = { status: 200, body: { reason: { code: 7, text: 'refused' } } }
    expect(await get('/job?job_id=none')).toMatchObject(refused)
    expect(await get('/job')).toMatchObject(refused)
    expect(await post('/jobs', { draft: true })).toMatchObject(refused)
  })
})

describe('a dialect file', () => {
  it('is rejected if its operation could never accept a create request', () => {
    const flawed = ACME.replace('model: acme-1', 'fields: [prompt]')
    expect(() => parseDialect(flawed)).toThrow('would reject every request: its `fields` lack `model`')
  })

  it('is rejected if the place of a task is not a part of the request', () => {
    expect(() => parseDialect(ACME.replace('{{query.job_id}}', '{{path.job_id}}'))).toThrow(
      'expected a query parameter such as {{query.task_id}}, a header such as {{header.x-task-id}}, or a field of the body such as {{body.task_id}}',
    )
  })

  it('is rejected if a GET request would have the id of its task in the body', () => {
    expect(() => parseDialect(ACME.replace('{{query.job_id}}', '{{body.job_id}}'))).toThrow(
      'a GET request has no body',
    )
  })
})
