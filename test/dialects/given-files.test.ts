import { expect, it } from 'vitest'
import { parseDialect } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeDialect } from './describe-dialect.js'

const ACME = `
name: acme
title: Acme
hosts: [https://api.acme.example]
key: { scheme: Bearer }
ids: { characters: hex }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}" }
headers: { X-Job-Id: "{{id}}" }
error: { body: { reason: "{{message}}" } }
operations:
  POST /speech:
    action: create
    kind: audio
    model: acme-1
    wait: 60000
    gives: file
    states:
      processing: { status: 202 }
      failed: { status: 422, answer: { reason: "{{error.message}}" } }
  POST /jobs:
    action: create
    kind: image
    model: acme-2
    states:
      queued: &created { status: 303, headers: { Location: "{{base}}/jobs/{{id}}" } }
      processing: *created
  GET /jobs/{task_id}: retrieve
  GET /jobs/{task_id}/file: { action: file, redirect: 302 }
`

const KEY = { authorization: 'Bearer sk_live_local' }

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  const opened = (scenario = {}) =>
    open({
      dialects: [parseDialect(ACME)],
      scenario,
      patience: '1h',
      renderer: { render: async () => new Uint8Array(2_000) },
    })
  const speak = (
    base: string,
    request: (url: string, init: RequestInit) => Promise<Response>,
    text: string,
  ) =>
    request(`${base}/speech`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: text }),
    })

  it('answers a create request with the bytes of its file, which is not missed as a download', async () => {
    const { sim, request, base } = await opened()
    const response = await advanceUntilDone(sim, speak(base, request, 'Hello.'))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    expect(response.headers.get('x-job-id')).toMatch(/^[0-9a-f]{24}$/)
    expect((await response.arrayBuffer()).byteLength).toBe(2_000)
    const { findings } = await sim.verdict({ final: true })
    expect(findings).toEqual([])
  })

  it('answers with the state of a task that has failed, or not ended, in place of the file', async () => {
    const { sim, request, base } = await opened()
    const failed = await advanceUntilDone(sim, speak(base, request, 'Hello. [[sim outcome=failed]]'))
    expect([failed.status, await failed.json()]).toEqual([422, { reason: expect.any(String) }])
    const late = await advanceUntilDone(sim, speak(base, request, 'Hello. [[sim outcome=stuck]]'))
    expect([late.status, await late.json()]).toMatchObject([202, { state: 'running' }])
  })

  it('redirects to a new task, and to its file, whose host the client may take for that of the service', async () => {
    const { sim, request, base } = await opened()
    const created = await request(`${base}/jobs`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'waves' }),
      redirect: 'manual',
    })
    const job = created.headers.get('location') ?? ''
    expect([created.status, job.startsWith(`${base}/jobs/`)]).toEqual([303, true])
    await sim.clock.advance('1m')
    expect(await (await request(job, { headers: KEY })).json()).toMatchObject({ state: 'done' })
    const file = await request(`${job}/file`, { headers: KEY, redirect: 'manual' })
    const location = file.headers.get('location') ?? ''
    expect([file.status, location.includes('signature=')]).toEqual([302, true])
    expect((await request(location, { headers: KEY })).headers.get('content-type')).toBe('image/png')
    const { findings } = await sim.verdict({ final: true })
    expect(findings).toEqual([])
  })
})

it('a dialect file cannot answer with a file without holding the answer, or say when without saying what', () => {
  expect(() => parseDialect(ACME.replace('    wait: 60000\n', ''))).toThrow('`gives: file` needs `wait`')
  expect(() => parseDialect(ACME.replace('gives: file', 'gives_if: "{{query.now}}"'))).toThrow(
    '`gives_if` needs `gives`; add `gives: file`',
  )
})
