import { expect, it } from 'vitest'
import { dialectStarter } from '../../src/cli/init/starters.js'
import { defineScenario, parseDialect } from '../../src/index.js'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }

/** The invented service, with other operations. */
function acmeWith(operations: string, more: Readonly<Record<string, string>> = {}) {
  let text = dialectStarter('', 'acme')
    .replace('job: "{{task}}" }', 'job: "{{task}}", short: "{{task | without created}}" }')
    .replace(/operations:\n.*?\n\n/s, `operations:\n${operations}\n\n`)
  for (const [old, own] of Object.entries(more)) text = text.replace(old, own)
  return parseDialect(text)
}

const WRAPPED = acmeWith(`
  POST /jobs: { action: create, kind: video, input: "{{body}}", model: m, answer: { data: { job: "{{task}}" } } }
  GET /jobs/{task_id}: { action: retrieve, answer: { data: "{{task}}", id: "{{task.id}}" } }
  GET /jobs/{task_id}/list: { action: retrieve, answer: [{ "...": "{{task}}", extra: 1 }] }
  GET /jobs/{task_id}/text: { action: result, text: "job {{task.id}}" }
  POST /jobs/{task_id}/stop: { action: cancel, answer: { data: "{{ task }}" } }
  GET /jobs: { action: list, answer: { jobs: "{{tasks}}" }, item: { job: "{{task}}" } }`)

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  it('wraps the task in every answer, in each of its states', async () => {
    const { sim, get, post } = await open({ dialects: [WRAPPED] })
    const receiver = await startReceiver()
    const created = (await post('/v1/jobs', { prompt: 'waves', callback_url: receiver.url })).body.data.job
    expect(created).toEqual({
      id: expect.stringMatching(/^job_/),
      state: 'running',
      created: 1_767_225_600,
      progress: 0,
    })
    const path = `/v1/jobs/${created.id}`
    await sim.clock.advance('1s')
    const running = (await get(path)).body
    expect(running).toEqual({ data: { ...created, progress: expect.any(Number) }, id: created.id })
    expect(running.data.progress).toBeGreaterThan(0)
    await sim.clock.advance('1m')
    const job = (await get(path)).body.data
    expect(job).toMatchObject({ id: created.id, state: 'done', urls: [expect.stringContaining('/files/')] })
    expect((await get(`${path}/list`)).body).toEqual([{ ...job, extra: 1 }])
    expect((await get('/v1/jobs')).body).toEqual({ jobs: [{ job }] })
    const { created: _, ...short } = job
    expect(receiver.received[0]?.json).toMatchObject({ job: { id: job.id }, short: { id: short.id } })
    expect(receiver.received[0]?.json.short).not.toHaveProperty('created')
  })

  it('writes text about the task, and wraps a canceled one', async () => {
    const { post, send } = await open({ dialects: [WRAPPED] })
    const { id } = (await post('/v1/jobs', { prompt: 'waves' })).body.data.job
    expect((await send(`/v1/jobs/${id}/text`, {})).body).toBe(`job ${id}`)
    expect((await post(`/v1/jobs/${id}/stop`)).body.data).toMatchObject({ id, state: 'stopped' })
  })

  it('lets faults and findings find the task in the wrapper', async () => {
    const faults = [{ when: { operation: 'tasks.retrieve' as const }, then: { patch: { note: 'patched' } } }]
    const { sim, get, post } = await open({ dialects: [WRAPPED], scenario: defineScenario({ faults }) })
    const { id } = (await post('/v1/jobs', { prompt: 'waves' })).body.data.job
    for (let poll = 0; poll < 5; poll++) {
      await sim.clock.advance('100ms')
      expect((await get(`/v1/jobs/${id}`)).body).toMatchObject({ id, data: { id, note: 'patched' } })
    }
    expect((await sim.findings()).map(({ id }) => id)).toEqual(['polls-too-fast'])
  })

  it('merges the fields of a state into the mappings of the task', async () => {
    const acme = acmeWith('  POST /jobs: { action: create, kind: video, input: "{{body}}", model: m }', {
      'task: { id: "{{id}}",': 'task: { meta: { about: { id: "{{id}}" }, tags: [a], at: 1 }, id: "{{id}}",',
      'fields: { progress: "{{progress}}" }':
        'fields: { meta: { about: { progress: "{{progress}}" }, tags: [b], at: { s: 2 } } }',
    })
    const { post } = await open({ dialects: [acme] })
    const { id, meta } = (await post('/v1/jobs', { prompt: 'waves' })).body
    expect(meta).toEqual({ about: { id, progress: 0 }, tags: ['b'], at: { s: 2 } })
  })
})
