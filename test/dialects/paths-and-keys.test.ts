import { expect, it } from 'vitest'
import { parseDialect } from '../../src/index.js'
import { describeDialect } from './describe-dialect.js'

/** A service with versions and verbs in its paths, and its own statuses for rejected keys. */
const ACME = parseDialect(`
name: acme
title: Acme
hosts: [https://api.acme.example]
parameters: { version: [v1beta, v1] }
key: { header: x-acme-key, query: key }
ids: { prefix: job_, characters: hex }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}", model: "{{model}}", url: "{{base}}/v1/jobs/{{id}}" }
error:
  body: { code: "{{code}}", type: "{{type}}" }
  types: { "400": bad, "403": denied, "404": gone }
  by_code:
    missing_key: { status: 403 }
    refused_key: { status: 400, body: { hint: check } }
    upload_not_found: { status: 403 }
operations:
  POST /{version}/models/{model}:generate: { action: create, kind: image, model: "{{path.model}}" }
  GET /{version}/jobs/{task_id}: retrieve
  POST /{version}/jobs/{task_id}:cancel: cancel
  GET /{version}/files/{upload_id}: retrieve_upload
`)

const KEY = { 'x-acme-key': 'good' }
const KEYS = { auth: { keys: [{ key: 'good' }] } }

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  it('finds operations by the constant text after a parameter', async () => {
    const { base, get, post } = await open({ clock: 'manual', dialects: [ACME] })
    const created = await post('/v1beta/models/m-1.5:generate', { prompt: 'a cat' })
    const { id } = created.body
    expect(created.body).toMatchObject({ state: 'running', model: 'm-1.5', url: `${base}/v1/jobs/${id}` })
    expect((await get(`/v1/jobs/${id}`)).body.state).toBe('running')
    expect((await post(`/v1/jobs/${id}:cancel`)).body.state).toBe('stopped')
    expect((await post(`/v1/jobs/${id}:stop`)).status).toBe(404)
  })

  it('knows only the listed values of a parameter', async () => {
    const { get, post } = await open({ clock: 'manual', dialects: [ACME] })
    const { id } = (await post('/v1/models/m:generate', { prompt: 'a cat' })).body
    expect((await get(`/v1beta/jobs/${id}`)).status).toBe(200)
    // In process, a request whose path is unknown goes on to the service.
    const statusOf = (path: string) =>
      get(path).then(
        ({ status }) => status,
        () => 404,
      )
    expect(await statusOf(`/v2/jobs/${id}`)).toBe(404)
    expect(await statusOf(`/v1beta1/jobs/${id}`)).toBe(404)
  })

  it('accepts a key in the query, and does not record it', async () => {
    const { sim, base, request } = await open({ dialects: [ACME], scenario: KEYS })
    const answered = async (query: string) => (await request(`${base}/v1/jobs/job_1${query}`)).status
    expect(await answered('?key=good&%6bey=x')).toBe(404)
    expect(await answered('?key=bad')).toBe(400)
    expect(await answered('?kez=good')).toBe(403)
    const queries = sim.journal
      .entries()
      .flatMap((entry) => (entry.type === 'request' ? [entry.request.query] : []))
    expect(queries).toEqual(['key=***&key=***', 'key=***', 'kez=good'])
  })

  it('gives causes of rejections their own status and body', async () => {
    const { base, get, request } = await open({ dialects: [ACME], scenario: KEYS })
    const missing = await request(`${base}/v1/jobs/job_1`)
    expect([missing.status, await missing.json()]).toEqual([403, { code: 'unauthorized', type: 'denied' }])
    const refused = await request(`${base}/v1/jobs/job_1`, { headers: { 'x-acme-key': 'bad' } })
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: 'unauthorized', type: 'bad', hint: 'check' },
    ])
    expect((await get('/v1/files/f')).status).toBe(403)
    expect((await get('/v1/jobs/job_1')).status).toBe(404)
  })
})
