import { expect, it } from 'vitest'
import { parseDialect } from '../../src/index.js'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }

/** A service with two ends of a success, its own codes, and webhooks for jobs that ask for them. */
const ACME = parseDialect(`
name: acme
title: Acme
hosts: [https://api.acme.example]
key: { scheme: Bearer }
ids: { prefix: job_, characters: hex }
statuses:
  queued: waiting
  processing: running
  succeeded:
    word: done
    fields: { size: { shown: "{{input.note}}" }, complete: true }
    variants:
      - { if: "{{input.note | equals half}}", word: partial, fields: { size: { wanted: full }, complete: false }, event: job.partial }
      - { if: "{{input.note | is_given}}", word: sized }
  failed: { word: broken, fields: { code: "{{error.code}}" }, codes: { generation_failed: server_error } }
  canceled: stopped
task: { id: "{{id}}", state: "{{status}}" }
error:
  body: { error: { message: "{{message}}", kind: "{{type}}", code: null } }
  types: { "402": payment, "429": limit }
  by_code:
    insufficient_credits: { status: 429, headers: { x-retry: "false" }, body: { error: { code: no_money } } }
    task_not_found: { body: gone }
operations:
  POST /jobs: { action: create, kind: video, model: m, input: "{{body}}", keep: { tell: "{{body.tell}}" } }
  GET /jobs/{task_id}: { action: retrieve, answer: { job: "{{task}}", word: "{{task.state}}" } }
webhook:
  if: "{{kept.tell}}"
  events: { succeeded: job.done, failed: job.failed }
  body: { event: "{{event}}", state: "{{status}}" }
  headers: { user-agent: Acme/1 }
`)

const JOB = { prompt: 'waves' }

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  it('shows a success in the first variant whose condition holds', async () => {
    const { sim, get, post } = await open({ dialects: [ACME] })
    const read = async (note?: string) => {
      const { id } = (await post('/jobs', { ...JOB, note })).body
      await sim.clock.advance('1m')
      return (await get(`/jobs/${id}`)).body
    }
    expect(await read('half')).toMatchObject({
      job: { state: 'partial', size: { shown: 'half', wanted: 'full' }, complete: false },
      word: 'partial',
    })
    expect((await read('big')).job).toMatchObject({ state: 'sized', size: { shown: 'big' }, complete: true })
    expect((await read()).job).toEqual({ id: expect.any(String), state: 'done', complete: true })
    expect((await sim.dialects.load('acme')).answers.words).toMatchObject({
      partial: 'succeeded',
      done: 'succeeded',
    })
  })

  it('gives errors the codes of the service', async () => {
    const { sim, get, post } = await open({ dialects: [ACME] })
    const codes: string[] = []
    for (const error of [undefined, { code: 'oom', message: 'No.' }]) {
      const { id } = (await post('/jobs', { ...JOB, n: String(error) })).body
      await sim.tasks.finish(id, { outcome: 'failed', error })
      codes.push((await get(`/jobs/${id}`)).body.job.code)
    }
    expect(codes).toEqual(['server_error', 'oom'])
  })

  it('sends webhooks only about the tasks that meet the condition, to the receivers of the scenario', async () => {
    const { url, received } = await startReceiver()
    const { sim, post } = await open({ dialects: [ACME], scenario: { webhooks: { receivers: [url] } } })
    await post('/jobs', { ...JOB, tell: true, note: 'half' })
    await post('/jobs', { ...JOB, tell: false })
    await post('/jobs', { ...JOB, tell: true })
    await sim.clock.advance('1m')
    expect(received.map(({ json }) => json)).toEqual([
      { event: 'job.partial', state: 'partial' },
      { event: 'job.done', state: 'done' },
    ])
    expect(received[0]?.headers['user-agent']).toBe('Acme/1')
  })

  it('changes the status, the headers and the body of rejections with a code', async () => {
    const scenario = { auth: { keys: [{ key: 'key', credits: 0 }] } } as const
    const { get, post } = await open({ dialects: [ACME], scenario })
    const { status, headers, body } = await post('/jobs', JOB)
    expect([status, headers.get('x-retry')]).toEqual([429, 'false'])
    expect(body).toEqual({ error: { message: expect.any(String), kind: 'limit', code: 'no_money' } })
    expect(await get('/jobs/none')).toMatchObject({ status: 404, body: 'gone' })
  })
})
