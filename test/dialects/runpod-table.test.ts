import { expect, it } from 'vitest'
import type { AnsweredRequest } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }
const JOB = { input: { prompt: 'a lighthouse' } }

describeDialect('runpod', 'https://api.runpod.ai', KEY, (open) => {
  it('runs a job of the endpoint in the path, and measures its times', async () => {
    const { sim, get, post } = await open({ scenario: { models: { 'image-endpoint': { delay: '2s' } } } })
    const { body } = await post('/v2/image-endpoint/run', JOB)
    expect(body).toEqual({ id: expect.stringMatching(/-u1$/), status: 'IN_QUEUE' })
    await sim.clock.advance('10s')
    expect((await get(`/v2/image-endpoint/status/${body.id}`)).body).toMatchObject({
      id: body.id,
      status: 'COMPLETED',
      delayTime: 0,
      executionTime: 2_000,
      output: { images: [expect.any(String)] },
    })
    expect(await post(`/v2/image-endpoint/cancel/${body.id}`)).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED' },
    })
    expect((await get('/v2/image-endpoint/health')).body.jobs.completed).toBe(1)
    expect((await get('/v2/another/health')).body.jobs.completed).toBe(0)
  })

  it('runs a failed job again, and no other one', async () => {
    const { sim, get, post } = await open()
    const failing = { input: { prompt: 'waves [[sim outcome=failed]]' } }
    const { id } = (await post('/v2/e/run', failing)).body
    expect(await post(`/v2/e/retry/${id}`)).toMatchObject({ status: 400 })
    await sim.clock.advance('1m')
    const { body } = await post(`/v2/e/retry/${id}`)
    expect(body).toEqual({ id: expect.not.stringContaining(id), status: 'IN_QUEUE' })
    await sim.clock.advance('1m')
    expect((await get(`/v2/e/status/${body.id}`)).body.status).toBe('FAILED')
    expect(await post('/v2/e/retry/none')).toMatchObject({ status: 404 })
  })

  it('holds the answer until the job has ended', async () => {
    const { sim, get, post } = await open()
    const held = post('/v2/e/runsync?wait=60000', JOB)
    await expect.poll(async () => (await sim.tasks.list({ limit: 1 }))?.tasks.length).toBe(1)
    await sim.clock.advance('1m')
    const { body } = await held
    expect(body.status).toBe('COMPLETED')
    expect((await get(`/v2/e/stream/${body.id}`)).body).toMatchObject({
      status: 'COMPLETED',
      stream: [{ output: expect.stringMatching(/^https?:/) }],
    })
  })

  it('stops holding answers when their client leaves, which has not seen the end of a job', async () => {
    const { sim, post, send } = await open({ patience: '1h' })
    const { id } = (await post('/v2/e/run', JOB)).body
    const answered: AnsweredRequest[] = []
    sim.on('request.answered', (request) => answered.push(request))
    const left = new AbortController()
    const { signal } = left
    const headers = { 'content-type': 'application/json' }
    const held = Promise.allSettled([
      send('/v2/e/runsync', { method: 'POST', headers, body: JSON.stringify(JOB), signal }),
      send(`/v2/e/status-sync/${id}`, { signal }),
    ])
    await expect.poll(() => sim.waitingAnswers).toBe(2)
    left.abort()
    await expect.poll(() => sim.waitingAnswers).toBe(0)
    await sim.clock.advance('1m')
    await held
    expect(answered.map(({ note }) => note.observed)).toEqual(
      Array(2).fill([{ id: expect.any(String), status: 'processing' }]),
    )
  })

  it('gives the pieces of a text that arrived since the last answer, and holds the answer until there is one', async () => {
    const { sim, get, post } = await open({
      scenario: { defaults: { delay: '10s', reply: { text: 'The sea is wide.' } } },
    })
    const { body } = await post('/v2/llama-chat/run', JOB)
    const next = async () => (await get(`/v2/llama-chat/stream/${body.id}`)).body
    await sim.clock.advance('6s')
    expect(await next()).toEqual({
      id: body.id,
      status: 'IN_PROGRESS',
      stream: [{ output: 'The' }, { output: ' sea' }],
    })
    expect(await advanceUntilDone(sim, next())).toMatchObject({ stream: [{ output: ' is' }] })
    expect(sim.clock.now()).toBe(Date.UTC(2026) + 7_500)
    expect(await advanceUntilDone(sim, next())).toMatchObject({
      status: 'COMPLETED',
      stream: [{ output: ' wide.' }],
    })
    expect(await next()).toMatchObject({ status: 'COMPLETED', stream: [] })
  })

  it('has a word of its own for a timeout', async () => {
    const error = { code: 'timeout', message: 'Too long.' }
    const { sim, get, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { body } = await post('/v2/e/run', JOB)
    await sim.clock.advance('1m')
    expect((await get(`/v2/e/status/${body.id}`)).body).toMatchObject({
      status: 'TIMED_OUT',
      error: 'Too long.',
    })
    expect((await get(`/v2/e/stream/${body.id}`)).body.stream).toEqual([])
  })
})
