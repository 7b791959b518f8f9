import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, parseDialect } from '../../src/index.js'
import { dialectDocument } from '../../src/openapi/dialect/document.js'
import { describeDialect } from './describe-dialect.js'

const ACME = `
name: acme
title: Acme
hosts: [https://api.acme.example]
key: { scheme: Bearer }
ids: { characters: hex }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}" }
error: { body: { reason: "{{message}}", code: "{{own_code or code}}" } }
checked: { on: 2026-11-26, client: acme-sdk 2.1.0, document: "https://docs.acme.example" }
ended:
  - paths: [/films]
    on: 2026-06-30
    replaced_by: /jobs
    still_served_by: others
    source: https://docs.acme.example/news
  - { models: ["old-*"], on: 2026-06-30, status: 410, code: retired, message: This model is retired. }
operations:
  POST /films: { action: create, kind: video, model: film-1 }
  GET /films/{task_id}: retrieve
  POST /jobs: { action: create, kind: video }
  GET /jobs/{task_id}: retrieve
`

const AS_TODAY = { ended: 'as-today' as const }
const KEY = { authorization: 'Bearer sk_live_local' }
const dialects = [parseDialect(ACME)]
const [before, after] = ['2026-06-29T23:59:59Z', '2026-06-30T00:00:00Z']

describeDialect('acme', 'https://api.acme.example', KEY, (open) => {
  const opened = (start?: string, scenario = {}) =>
    open({ dialects, scenario, ...(start !== undefined && { start }) })

  it('serves what has ended, and the finding names the date, the replacement and other servers', async () => {
    const { sim, get, post } = await opened(after)
    const { body } = await post('/films', { prompt: 'waves' })
    await get(`/films/${body.id}`)
    await post('/jobs', { model: 'old-1', prompt: 'waves' })
    const [{ severity, evidence } = expect.unreachable()] = (await sim.findings()).filter(
      ({ id }) => id === 'uses-ended-api',
    )
    expect(severity).toBe('note')
    expect(evidence.map(({ seen }) => seen)).toEqual([
      `The API has ended on 2026-06-30. The client called it twice, first with POST /acme/films. Replacement: /jobs. Still served by: others. (https://docs.acme.example/news)`,
      expect.stringMatching(/^The API has ended on 2026-06-30\. .* The service names no replacement\.$/),
    ])
  })

  it('reports nothing before the end, by the clock of a test that has chosen the date', async () => {
    const { sim, post } = await opened(before)
    await post('/films', { prompt: 'waves' })
    const state = async () => (await sim.verdict()).checked.find(({ id }) => id === 'uses-ended-api')?.state
    expect(await state()).toBe('ok')
    await sim.clock.advance('1s')
    await post('/films', { prompt: 'waves' })
    expect(await state()).toBe('found')
  })

  it('goes by the date of the machine, unless a test has chosen the date', async () => {
    const { sim, post } = await opened()
    expect(sim.clock.now()).toBeLessThan(Date.parse(before))
    await post('/films', { prompt: 'waves' })
    expect((await sim.findings()).map(({ id }) => id)).toContain('uses-ended-api')
    await sim.clock.advanceTo('2026-02-01')
    await sim.reset()
    await post('/films', { prompt: 'waves' })
    expect(await sim.findings()).toEqual([])
  })

  it('rejects what has ended, if the scenario says `ended: as-today`', async () => {
    const { sim, get, post } = await opened(before, AS_TODAY)
    const { status, body } = await post('/films', { prompt: 'waves' })
    expect(status).toBe(200)
    expect((await post('/jobs', { model: 'old-1', prompt: 'waves' })).status).toBe(200)
    await sim.clock.advance('1s')
    const reason = expect.stringContaining('has ended')
    expect(await get(`/films/${body.id}`)).toMatchObject({ status: 404, body: { code: 'not_found', reason } })
    expect(await post('/films', { prompt: 'waves' })).toMatchObject({ status: 404 })
    expect(await post('/jobs', { model: 'old-1', prompt: 'waves' })).toMatchObject({
      status: 410,
      body: { code: 'retired', reason: 'This model is retired.' },
    })
    expect((await post('/jobs', { model: 'new-1', prompt: 'waves' })).status).toBe(200)
    expect((await sim.findings()).map(({ id }) => id)).toContain('uses-ended-api')
  })
})

describe('a dialect file', () => {
  it('names only paths of its operations, days, and something that has ended', () => {
    const given = (from: string, to: string) => () => parseDialect(ACME.replace(from, to))
    expect(given('[/films]', '[/filmz]')).toThrow(
      'no operation is at `/filmz` or below it; did you mean `/films`?',
    )
    expect(given('on: 2026-11-26', 'on: 2026-11-31')).toThrow('expected a day, such as 2026-09-24')
    expect(given('paths: [/films]\n    ', '')).toThrow('nothing has ended; add `paths` or `models`')
  })

  it('marks the operations that have ended as deprecated in its OpenAPI document', () => {
    const [table = expect.unreachable()] = dialects
    const { paths } = dialectDocument(table, 'http://127.0.0.1')
    expect(paths['/films']?.['post']).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('2026-06-30'),
    })
    expect(paths['/jobs']?.['post']).not.toHaveProperty('deprecated')
  })
})

it.each([
  ['openai', 'https://api.openai.com/v1/videos', { model: 'sora-2', prompt: 'waves' }],
  [
    'google',
    'https://generativelanguage.googleapis.com/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
    { instances: [{ prompt: 'waves' }] },
  ],
])('the videos of %s have ended', async (dialect, url, order) => {
  const sim = createSimulator({ clock: 'manual', scenario: AS_TODAY, start: '2026-11-26' })
  onTestFinished(() => sim.close())
  const headers = { ...KEY, 'x-goog-api-key': 'any', 'content-type': 'application/json' }
  const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(order) })
  expect((await getResponse(handlers(sim, { dialect }), request))?.status).toBe(404)
  expect((await sim.findings()).map(({ id }) => id)).toEqual(['uses-ended-api'])
})
