import { expect, it } from 'vitest'
import type { TaskQuery } from '../../src/client/index.js'
import { code, describeClients, first, IMAGE, QUICK, refusal, START, VIDEO } from './describe-clients.js'

const idsOf = ({ data }: { data: readonly { id: string }[] }): string[] => data.map(({ id }) => id)

describeClients('tasks in the control API', (open) => {
  it('are listed newest first, across all keys, page by page', async () => {
    const { control, order } = await open()
    const ids: string[] = []
    for (let number = 0; number < 5; number++)
      ids.unshift(await order({ ...IMAGE, input: { number } }, `sk_live_number_${number % 2}`))
    expect(idsOf(await control.tasks.list())).toEqual(ids)
    const page = await control.tasks.list({ limit: 2 })
    expect(page).toMatchObject({ has_more: true, next_cursor: ids[1] })
    const rest = await control.tasks.list({ limit: 3, after: page.next_cursor ?? '' })
    expect([idsOf(rest), rest.has_more, rest.next_cursor]).toEqual([ids.slice(2), false, null])
  })

  it('are filtered by status, model, kind, key and text', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const image = await order(IMAGE, 'sk_live_first_one')
    await control.clock.advance('1s')
    const video = await order(VIDEO, 'sk_live_other_one')
    const found = async (query: Parameters<typeof control.tasks.list>[0]) =>
      idsOf(await control.tasks.list(query))
    expect(await found({ status: 'succeeded' })).toEqual([image])
    expect(await found({ status: 'processing' })).toEqual([video])
    expect(await found({ model: VIDEO.model })).toEqual([video])
    expect(await found({ kind: 'image' })).toEqual([image])
    expect(await found({ key: 'sk_live_first_one' })).toEqual([image])
    const { key } = await control.tasks.get(image)
    expect(key).toBe('sk_..._one')
    expect(await found({ text: 'LIGHTHOUSE' })).toEqual([image])
    expect(await found({ text: image.slice(5) })).toEqual([image])
    expect(await found({ text: 'lighthouse', kind: 'video' })).toEqual([])
  })

  it.each([
    [{ status: 'done' }, 'status'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1_001 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ after: 'task_elsewhere' }, 'after'],
  ])('are not listed by %j', async (query, param) => {
    const { control } = await open()
    const { status, details } = await refusal(control.tasks.list(query as TaskQuery))
    expect([status, details['param']]).toEqual([400, param])
  })

  it('are shown with their plan', async () => {
    const { control, order } = await open({
      scenario: {
        ...QUICK,
        rules: [
          {
            name: 'no waves',
            when: { input: { prompt: 'waves' } },
            then: { outcome: 'failed', error: { code: 'wet', message: 'Too wet.' } },
          },
        ],
      },
    })
    const task = await control.tasks.get(await order(VIDEO))
    expect(task).toMatchObject({
      ...VIDEO,
      status: 'processing',
      held: false,
      created_at: START,
      plan: {
        outcome: 'failed',
        ends_at: '2026-01-01T00:00:01.000Z',
        rule: 'no waves',
        error: { code: 'wet' },
      },
    })
    expect(await code(control.tasks.get('task_none'))).toBe('404 task_not_found')
  })

  it('finish as planned', async () => {
    const { control, order, get } = await open()
    const id = await order()
    const finished = await control.tasks.finish(id)
    expect(finished).toMatchObject({ status: 'succeeded', completed_at: START })
    const { output, cost_usd: cost } = await get(`/api/v1/tasks/${id}`)
    expect(finished.output).toEqual(output)
    expect(finished.cost_usd).toBe(cost)
    expect((await fetch(output.images[0])).status).toBe(200)
  })

  it.each([
    [{ status: 'succeeded' }, { status: 'succeeded', output: { images: [expect.any(String)] } }],
    [{ status: 'canceled' }, { status: 'canceled', cost_usd: 0 }],
    [{ status: 'failed' }, { status: 'failed', error: { code: expect.any(String) } }],
    [
      { status: 'failed', error: { code: 'wet' } },
      { status: 'failed', error: { code: 'wet', message: expect.any(String) } },
    ],
    [
      { status: 'failed', error: { code: 'wet', message: 'Rain.' } },
      { status: 'failed', error: { code: 'wet', message: 'Rain.' } },
    ],
  ] as const)('finish as %j, whatever the plan was', async (ending, ended) => {
    const { control, order, get } = await open({ scenario: 'stuck' })
    const id = await order()
    expect(await control.tasks.finish(id, ending)).toMatchObject(ended)
    expect((await get(`/api/v1/tasks/${id}`)).status).toBe(ending.status)
    await control.clock.advance('1d')
    expect((await control.tasks.get(id)).status).toBe(ending.status)
    expect((await control.state()).tasks).toMatchObject({ processing: 0, [ending.status]: 1 })
  })

  it.each([
    [{ status: 'stuck' }, 'status'],
    [{ status: 7 }, 'status'],
    [{ status: 'succeeded', error: { code: 'wet' } }, 'error'],
    [{ status: 'failed', error: 'wet' }, 'error'],
    [{ status: 'failed', error: null }, 'error'],
    [{ status: 'failed', error: { code: 'wet', message: 7 } }, 'error.message'],
    [{ status: 'failed', error: { code: 'wet', why: 'rain' } }, 'why'],
    [{ error: { code: 'wet' } }, 'error'],
    [{ outcome: 'failed' }, 'outcome'],
  ])('do not finish as %j', async (ending, param) => {
    const { control, order } = await open()
    const id = await order()
    const { status, details } = await refusal(control.tasks.finish(id, ending as object))
    expect([status, details['param']]).toEqual([400, param])
    expect((await control.tasks.get(id)).status).toBe('processing')
  })

  it('send their webhooks when they finish', async () => {
    const { control, order } = await open({ receivers: [() => new Response()] })
    const id = await order()
    await control.tasks.finish(id, { status: 'failed' })
    await control.clock.advance('0s')
    expect(first((await control.deliveries.list({ task: id })).data)).toMatchObject({
      event: 'task.failed',
      state: 'delivered',
    })
  })

  it('stay unfinished while held, and end at once if released after their planned end', async () => {
    const { control, order, get } = await open({ scenario: QUICK })
    const id = await order()
    expect(await control.tasks.hold(id)).toMatchObject({ held: true, status: 'processing' })
    await control.clock.advance('1h')
    expect((await get(`/api/v1/tasks/${id}`)).status).toBe('processing')
    expect(await control.tasks.release(id)).toMatchObject({
      held: false,
      status: 'succeeded',
      completed_at: '2026-01-01T01:00:00.000Z',
    })
  })

  it('end as planned if released in time', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const id = await order()
    await control.tasks.hold(id)
    await control.clock.advance('500ms')
    expect((await control.tasks.release(id)).status).toBe('processing')
    await control.clock.advance('1h')
    expect((await control.tasks.get(id)).completed_at).toBe('2026-01-01T00:00:01.000Z')
  })

  it('count no polls while held', async () => {
    const { control, order, get } = await open({ scenario: { defaults: { delay: { polls: 2 } } } })
    const id = await order()
    await control.tasks.hold(id)
    for (let poll = 0; poll < 3; poll++) expect((await get(`/api/v1/tasks/${id}`)).status).toBe('processing')
    await control.tasks.release(id)
    const seen = [await get(`/api/v1/tasks/${id}`), await get(`/api/v1/tasks/${id}`)]
    expect(seen.map(({ status }) => status)).toEqual(['processing', 'succeeded'])
  })

  it('can be held and finished while queued', async () => {
    const { control, order } = await open({ scenario: { ...QUICK, capacity: { running: 1 } } })
    const [running, waiting, last] = [await order(), await order(VIDEO), await order(VIDEO)]
    await control.tasks.hold(waiting)
    await control.tasks.finish(last, { status: 'failed' })
    await control.clock.advance('1h')
    expect((await control.tasks.get(running)).status).toBe('succeeded')
    expect(await control.tasks.get(waiting)).toMatchObject({ status: 'processing', held: true })
    expect((await control.state()).tasks).toEqual({
      queued: 0,
      processing: 1,
      succeeded: 1,
      failed: 1,
      canceled: 0,
    })
    expect((await control.tasks.release(waiting)).status).toBe('succeeded')
  })

  it('cannot be finished or held after they end, and cannot be released unless held', async () => {
    const { control, order } = await open()
    const id = await order()
    expect(await code(control.tasks.release(id))).toBe('409 conflict')
    await control.tasks.finish(id)
    expect(await code(control.tasks.finish(id))).toBe('409 conflict')
    expect(await code(control.tasks.hold(id))).toBe('409 conflict')
    expect(await code(control.tasks.release(id))).toBe('409 conflict')
    for (const action of ['finish', 'hold', 'release'] as const)
      expect(await code(control.tasks[action]('task_none'))).toBe('404 task_not_found')
  })

  it('are not reached by an id that contains another path', async () => {
    const { control, order } = await open()
    await order()
    for (const id of ['', '.', '..', '../state', 'a/b', '%2e%2e', '?limit=1'])
      expect((await refusal(control.tasks.get(id))).status).toBe(404)
  })
})
