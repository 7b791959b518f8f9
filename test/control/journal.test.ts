import { expect, it } from 'vitest'
import { code, describeClients, first, IMAGE, QUICK, refusal, VIDEO } from './describe-clients.js'

const KEYS = ['sk_live_key_of_the_first', 'sk_live_key_of_the_other'] as const
const SECRET = 'whsec_local_signing_secret'

describeClients('the journal in the control API', (open) => {
  it('lists all entries, newest first, without the requests of the control API', async () => {
    const { control, order, get } = await open({ scenario: QUICK, receivers: [() => new Response()] })
    const id = await order()
    await control.clock.advance('1s')
    await get(`/api/v1/tasks/${id}?x=1`)
    await control.state()
    await code(control.tasks.get('task_none'))
    const { data, has_more: more } = await control.journal.list()
    expect(more).toBe(false)
    expect(data.map(({ type }) => type)).toEqual([
      'request',
      'control',
      'delivery',
      'task',
      'request',
      'task',
    ])
    expect(data.map(({ number }) => number)).toEqual([6, 5, 4, 3, 2, 1])
    expect(data[0]).toMatchObject({
      operation: 'tasks.retrieve',
      status: 200,
      query: 'x=1',
      task_id: id,
      delivered: true,
    })
    expect(data[2]).toMatchObject({ attempt: 1, delivery: { task_id: id, state: 'delivered' } })
    expect(data[3]).toMatchObject({ task_id: id, status: 'succeeded', at: '2026-01-01T00:00:01.000Z' })
  })

  it('records that a task is forgotten', async () => {
    const { control, order, sim } = await open({ scenario: QUICK, keepTasks: 1 })
    const [evicted, deleted] = [await order(), await order()]
    await control.clock.advance('1s')
    await sim.tasks.delete(deleted)
    const { data } = await control.journal.list({ type: 'forgotten' })
    expect(data).toMatchObject([
      { task_id: deleted, reason: 'deleted', at: '2026-01-01T00:00:01.000Z' },
      { task_id: evicted, reason: 'evicted', at: '2026-01-01T00:00:01.000Z' },
    ])
    expect((await control.journal.list({ task: evicted, type: 'forgotten' })).data).toEqual([data[1]])
  })

  it('records when a task is held and released', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const id = await order()
    await control.tasks.hold(id)
    await control.clock.advance('5s')
    await control.tasks.release(id)
    const { data } = await control.journal.list({ task: id, type: 'control' })
    expect(data).toMatchObject([
      { what: 'release', task_id: id, at: '2026-01-01T00:00:05.000Z' },
      { what: 'hold', task_id: id, at: '2026-01-01T00:00:00.000Z' },
    ])
  })

  it('tells the mistakes with one task from those with others', async () => {
    const { control, order, get } = await open({ scenario: QUICK })
    const ids = Array.from({ length: 22 }, () => order())
    const tasks = await Promise.all(ids)
    await control.clock.advance('1s')
    for (const id of tasks) for (let times = 0; times < 4; times++) await get(`/api/v1/tasks/${id}`)
    const evidenceOf = async (task?: string) => {
      const { findings } = await control.verdict(task === undefined ? {} : { task })
      const found = findings.find(({ id }) => id === 'polls-after-end')
      return found && { count: found.count, tasks: found.evidence.map((each) => each.task_id) }
    }
    const [last = ''] = tasks.slice(-1)
    expect(await evidenceOf()).toMatchObject({ count: 22, tasks: tasks.slice(0, 20) })
    expect(await evidenceOf(last)).toEqual({ count: 1, tasks: [last] })
    expect(await evidenceOf('task_none')).toBeUndefined()
  })

  it('keeps requests and answers', async () => {
    const { control, order } = await open()
    const id = await order(VIDEO)
    const request = first((await control.journal.list({ type: 'request' })).data)
    if (request.type !== 'request') throw new Error('Expected a request')
    expect(JSON.parse(request.request_body ?? '')).toEqual(VIDEO)
    expect(JSON.parse(request.response_body ?? '')).toMatchObject({ id, status: 'processing' })
  })

  it('omits bodies over the size limit', async () => {
    const { control, order } = await open()
    await order({ model: 'm', input: { prompt: 'x'.repeat(20_000) } })
    const request = first((await control.journal.list({ type: 'request' })).data)
    expect(request).not.toHaveProperty('request_body')
    expect(request).not.toHaveProperty('response_body')
  })

  it('is filtered by type, task, key, operation, status and time', async () => {
    const { control, order, get } = await open({ scenario: QUICK })
    const one = await order(IMAGE, KEYS[0])
    await control.clock.advance('10s')
    const other = await order(VIDEO, KEYS[1])
    await get(`/api/v1/tasks/${other}`, KEYS[1])
    await get('/api/v1/tasks/none', KEYS[1])
    const numbers = async (query: Parameters<typeof control.journal.list>[0]) =>
      (await control.journal.list(query)).data.map(({ number }) => number).reverse()
    const all = await numbers({})
    expect(await numbers({ type: 'control' })).toEqual([4])
    expect(await numbers({ task: one })).toEqual([1, 2, 3])
    expect(await numbers({ key: KEYS[0] })).toEqual([1, 2, 3])
    expect(await numbers({ key: 'sk_...irst' })).toEqual([1, 2, 3])
    expect(await numbers({ key: KEYS[1], type: 'request' })).toEqual([6, 7, 8])
    expect(await numbers({ operation: 'tasks.create' })).toEqual([2, 6])
    expect(await numbers({ status: 404 })).toEqual([8])
    expect(await numbers({ operation: 'tasks.retrieve', status: 200, key: KEYS[1] })).toEqual([7])
    expect(await numbers({ since: '2026-01-01T00:00:10Z' })).toEqual(all.slice(3))
    expect(await numbers({ until: '2026-01-01T00:00:09Z' })).toEqual([1, 2, 3])
    expect(await numbers({ since: '2026-01-01T00:00:01Z', until: '2026-01-01T00:00:01Z' })).toEqual([3])
    expect(await numbers({ operation: 'nothing' })).toEqual([])
  })

  it('is read page by page', async () => {
    const { control, order } = await open()
    for (let number = 0; number < 5; number++) await order({ model: 'm', input: { number } })
    const all = (await control.journal.list({ type: 'request' })).data
    const pages: (typeof all)[number][] = []
    let after: string | null = null
    do {
      const page = await control.journal.list({ type: 'request', limit: 2, ...(after !== null && { after }) })
      pages.push(...page.data)
      after = page.next_cursor
      expect(page.has_more).toBe(after !== null)
    } while (after !== null)
    expect(pages).toEqual(all)
    expect(all).toHaveLength(5)
  })

  it.each([
    [{ type: 'noise' }, 'type'],
    [{ status: 'ok' }, 'status'],
    [{ since: 'yesterday' }, 'since'],
    [{ until: '' }, 'until'],
    [{ limit: 0 }, 'limit'],
    [{ after: '-1' }, 'after'],
  ])('rejects the filter %j', async (query, param) => {
    const { control } = await open()
    const { status, details } = await refusal(control.journal.list(query as object))
    expect([status, details['param']]).toEqual([400, param])
  })

  it('shows no complete key or secret, and neither does any other resource', async () => {
    const { control, order, get, origin } = await open({
      scenario: { ...QUICK, auth: { keys: [{ key: KEYS[0] }] } },
      receivers: [() => new Response()],
    })
    await control.receivers.add({
      url: 'http://127.0.0.1:9/',
      secret: `${SECRET}_own`,
      previous_secret: `${SECRET}_old`,
    })
    const id = await order(IMAGE, KEYS[0])
    await order(IMAGE, KEYS[1])
    await control.clock.advance('1s')
    const { output } = await get(`/api/v1/tasks/${id}`, KEYS[0])
    await fetch(output.images[0], { headers: { authorization: `Bearer ${KEYS[0]}` } })
    await fetch(`${origin}/api/v1/tasks`, { headers: { authorization: KEYS[0] } })
    const shown = JSON.stringify([
      await control.journal.list({ limit: 1_000 }),
      await control.state(),
      await control.scenario.get(),
      await control.findings(),
      await control.receivers.list(),
      await control.deliveries.list(),
      await control.tasks.list(),
      await control.metrics(),
    ])
    for (const hidden of [...KEYS, SECRET]) expect(shown).not.toContain(hidden)
    expect(shown).toContain('sk_...irst')
  })
})

describeClients('the findings in the control API', (open) => {
  it('describe the mistakes of the client, with the evidence', async () => {
    const { control, order, get } = await open({ scenario: QUICK })
    expect(await control.findings()).toEqual(expect.any(Array))
    const id = await order()
    await control.clock.advance('1s')
    const { output } = await get(`/api/v1/tasks/${id}`)
    await fetch(output.images[0], { headers: { authorization: 'Bearer sk_live_local' } })
    const found = (await control.findings()).find((finding) => finding.id === 'key-sent-to-file-host')
    expect(found).toMatchObject({
      severity: 'error',
      evidence: [
        { at: '2026-01-01T00:00:01.000Z', task_id: id, request_ids: [expect.stringMatching(/^req_/)] },
      ],
    })
    await control.reset()
    expect((await control.findings()).map((finding) => finding.id)).not.toContain('key-sent-to-file-host')
  })
})
