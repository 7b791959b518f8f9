import { expect, it } from 'vitest'
import type { VerdictShape } from '../../src/client/index.js'
import type { ScenarioInput } from '../../src/index.js'
import { FINDING_IDS } from '../../src/inspect/findings/ids.js'
import { describeHosts, IMAGE } from './hosts.js'

type AppliedShape = VerdictShape['applied'][number]

const JSON_TYPE = { 'content-type': 'application/json' }

describeHosts('the findings over HTTP', (open) => {
  it('list the mistakes of the client, with the evidence, and all checks', async () => {
    const client = await open()
    const created = await client.post('/api/v1/task', IMAGE)
    await client.get('/v1/tasks')
    await client.get('/v1/tasks')
    const { status, body } = await client.get('/_sim/findings')
    expect(status).toBe(200)
    expect(body.findings).toEqual([
      {
        id: 'mixed-path-forms',
        last_at: '2026-01-01T00:00:00.000Z',
        severity: 'note',
        title: expect.any(String),
        why: expect.any(String),
        remedy: 'Use one form everywhere.',
        count: 1,
        evidence: [
          {
            at: '2026-01-01T00:00:00.000Z',
            task_id: created.body.id,
            model: 'acme/image-1',
            prompt: IMAGE.input.prompt,
            request_ids: ['req_00000001', 'req_00000002'],
            seen: 'The client used /api/v1/task once, /v1/tasks twice.',
          },
        ],
      },
    ])
    expect(body.checked).toContainEqual({
      id: 'mixed-path-forms',
      title: expect.any(String),
      state: 'found',
    })
  })

  it('count unfinished work of the client if no more requests will come', async () => {
    const client = await open()
    await client.post('/api/v1/tasks', IMAGE)
    await client.sim.clock.advance('10s')
    expect((await client.get('/_sim/findings')).body.findings).toEqual([])
    const { body } = await client.get('/_sim/findings?final=true')
    expect(body.findings.map(({ id }: { id: string }) => id)).toEqual(['result-never-learned'])
    const wrong = await client.get('/_sim/findings?final=yes')
    expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'final' } } })
  })

  it('contain a request without the key in the only sandbox that has its task', async () => {
    const client = await open()
    const sandboxes = [await client.post('/_sim/sandboxes'), await client.post('/_sim/sandboxes')]
    const [first, second] = sandboxes.map(({ body }) => body)
    const create = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, ...JSON_TYPE }
      const body = JSON.stringify(IMAGE)
      const response = await client.send('/api/v1/tasks', { method: 'POST', headers, body })
      return `/api/v1/tasks/${JSON.parse(await response.text()).id}`
    }
    const missing = async (id: string) => {
      const { body } = await client.get(`/_sim/sandboxes/${id}/findings`)
      return body.findings.map((finding: { id: string }) => finding.id)
    }
    const path = await create(first.api_key)
    expect((await client.send(path)).status).toBe(401)
    expect(await missing(first.id)).toEqual(['key-missing'])
    // Sandboxes of the same name create the same tasks.
    expect(await create(second.api_key)).toBe(path)
    expect((await client.send(path)).status).toBe(401)
    expect(await missing(second.id)).toEqual([])
  })

  it('say what would give an occasion for each mistake that could not be observed', async () => {
    const client = await open()
    const { body } = await client.get('/_sim/findings')
    const unobserved = body.checked.filter(({ state }: { state: string }) => state === 'not_observed')
    expect(unobserved).toHaveLength(FINDING_IDS.length)
    for (const { provoke } of unobserved) expect(provoke).toMatch(/^[A-Z].*\.$/)
  })

  it('show the prompt of the task in one line, shortened, without secrets', async () => {
    const client = await open()
    const prompt = `a\nkey sk_live_0123456789abcdef at https://example.com/?token=s3cret ${'wave '.repeat(30)}`
    await client.post('/api/v1/tasks', { ...IMAGE, input: { prompt } })
    await client.sim.clock.advance('10s')
    const { body } = await client.get('/_sim/findings?final=true')
    expect(body.findings[0].evidence[0].prompt).toMatch(
      /^a key \*\*\* at https:\/\/example\.com\/\?token=\*\*\* wave .*\.\.\.$/,
    )
  })

  it('count how often each rule and fault of the scenario has applied', async () => {
    const scenario: ScenarioInput = {
      extends: 'lost-create-response',
      rules: [{ name: 'fails', when: { model: 'acme/image-1' }, then: { outcome: 'failed' } }],
      faults: [
        { when: { operation: 'tasks.retrieve', key: 'sk_of_somebody_else' }, then: 503 },
        { name: 'busy', when: { operation: 'tasks.list' }, then: [429, 429] },
      ],
      webhooks: { receivers: ['http://127.0.0.1:9/'], faults: [{ name: 'gone', then: 'lost' }] },
    }
    const client = await open({ scenario })
    const applied = async () =>
      (await client.get('/_sim/findings')).body.applied.map(
        ({ list, name, scenario, inherited, count }: AppliedShape) => [
          list,
          inherited ? `${name} of ${scenario}` : name,
          count,
        ],
      )
    const used = [
      ['rules', 'fails', 1],
      ['faults', 'faults[0]', 0],
      ['faults', 'busy', 2],
      ['faults', 'lost answer of lost-create-response', 1],
      ['webhooks.faults', 'gone', 1],
    ]
    const headers = { ...JSON_TYPE, authorization: 'Bearer sk_live_local' }
    const lost = { method: 'POST', headers, body: JSON.stringify(IMAGE) }
    await client.send('/api/v1/tasks', lost).catch(() => {})
    for (let poll = 0; poll < 3; poll++) await client.get('/api/v1/tasks')
    await client.sim.clock.advance('10s')
    expect(await applied()).toEqual(used)
    const { body } = await client.get('/_sim/findings')
    expect(JSON.stringify(body.applied)).not.toContain('sk_of_somebody_else')
    await client.sim.control.scenario.patch({ faults: [{ name: 'another', then: 503 }] })
    expect((await applied()).filter(([, , count]: [string, string, number]) => count > 0)).toEqual([])
    expect(await applied()).toHaveLength(used.length + 1)
  })

  it('accept observations of a test, and record them in the journal', async () => {
    const client = await open()
    const observation = { what: 'output.kept', task_id: 'task_1', as: 'url' }
    const response = await client.send('/_sim/observations', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(observation),
    })
    expect(response.status).toBe(204)
    const { body } = await client.get('/_sim/findings')
    expect(body.findings).toMatchObject([{ id: 'keeps-output-url', evidence: [{ task_id: 'task_1' }] }])
    const journal = await client.get('/_sim/journal?type=observation&task=task_1')
    expect(journal.body.data).toMatchObject([{ type: 'observation', ...observation }])
  })

  it.each([
    ['what', { what: 'webhook.proceed', task_id: 'task_1' }],
    ['task_id', { what: 'output.kept' }],
    ['task_id', { what: 'output.kept', task_id: '' }],
    ['by', { what: 'webhook.processed', task_id: 'task_1', by: 1 }],
    ['as', { what: 'output.kept', task_id: 'task_1', as: 'link' }],
  ])('reject an observation with a bad %s', async (param, body) => {
    const client = await open()
    const answer = await client.post('/_sim/observations', body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param } } })
  })

  it('do not mistake a slow download for an aborted one, or parts of a file for the whole', async () => {
    const slow = { operation: 'files.download', nth: 1 } as const
    const client = await open({ scenario: { faults: [{ when: slow, then: { bytes_per_second: 1e9 } }] } })
    const { id } = (await client.post('/api/v1/tasks', IMAGE)).body
    await client.sim.clock.advance('3s')
    const { pathname, search } = new URL((await client.get(`/api/v1/tasks/${id}`)).body.output.images[0])
    for (let part = 0; part < 10; part++)
      await (await client.send(pathname + search, { headers: { range: 'bytes=0-9' } })).arrayBuffer()
    const entries = [...client.sim.journal.entries()].flatMap((entry) =>
      entry.type === 'request' && entry.request.operation === 'files.download' ? [entry.request] : [],
    )
    expect(entries.map(({ delivered }) => delivered)).toEqual(Array(10).fill(true))
    expect(entries.map(({ note }) => note.isPart)).toEqual(Array(10).fill(true))
    expect((await client.sim.verdict({ final: true })).findings).toEqual([])
  })
})
