import { expect, it, onTestFinished } from 'vitest'
import { verifySignature } from '../../src/index.js'
import { startReceiver } from '../http/receiver.js'
import { code, describeClients, first, IMAGE, KEY, QUICK, refusal, START, VIDEO } from './describe-clients.js'

describeClients('sandboxes', (open) => {
  it('are created, listed, shown and deleted', async () => {
    const { control, sim } = await open({ scenario: QUICK, seed: 'seven' })
    const made = await control.sandboxes.create({
      name: 'box',
      scenario: 'flaky',
      start: '2030-01-01T00:00:00Z',
    })
    expect(made).toEqual({
      id: expect.stringMatching(/^sb_\w+$/),
      name: 'box',
      api_key: expect.stringMatching(/^sk_sandbox_\w{16}$/),
      scenario: 'flaky',
      seed: 'seven',
      now: '2030-01-01T00:00:00.000Z',
      tasks: 0,
    })
    const other = await control.sandboxes.create({ text: 'defaults: { delay: 3s }', seed: 'own' })
    expect(other).toMatchObject({ name: '', seed: 'own', now: START })
    expect(await control.sandboxes.list()).toEqual([made, other])
    expect(await control.sandboxes.get(made.id)).toEqual(made)
    expect(await control.sandboxes.delete(made.id)).toEqual(made)
    expect(await control.sandboxes.list()).toEqual([other])
    expect(sim.sandboxes.size).toBe(1)
    for (const call of [control.sandboxes.get, control.sandboxes.delete])
      expect(await code(call(made.id))).toBe('404 not_found')
    expect(await code(control.sandboxes.control(made.id).state())).toBe('404 not_found')
  })

  it.each([
    [{ nonsense: 1 }, 'nonsense'],
    [{ name: 7 }, 'name'],
    [{ seed: {} }, 'seed'],
    [{ clock: 'fast' }, 'clock'],
    [{ speed: 0 }, 'speed'],
    [{ start: 'tomorrow' }, 'start'],
    [{ start: '+275760-09-12T00:00:00Z' }, 'start'],
    [{ idle: 'long' }, 'idle'],
    [{ idle: '0s' }, 'idle'],
    [{ idle: '0.4ms' }, 'idle'],
    [{ seed: 1.5 }, 'seed'],
    [{ start: 'January 1, 2030' }, 'start'],
    [{ start: '2030-02-30' }, 'start'],
    [{ speed: 2 }, 'speed'],
    [{ clock: 'manual', speed: 2 }, 'speed'],
    [{ clock: 'real', start: '2030-01-01T00:00:00Z' }, 'start'],
    [{ scenario: 'nothing' }, undefined],
    [{ scenario: { nonsense: 1 } }, undefined],
    [{ scenario: null }, undefined],
    [{ scenario: 'flaky', text: 'defaults: {}' }, undefined],
    [{ text: 7 }, 'text'],
  ])('are not created from %j', async (options, param) => {
    const { control, sim } = await open()
    const { status, details } = await refusal(control.sandboxes.create(options as object))
    expect([status, details['param'], sim.sandboxes.size]).toEqual([400, param, 0])
  })

  it('are addressed by path, by header and by key, and keep their own data', async () => {
    const { control, order, get, origin } = await open({ scenario: QUICK })
    const { id: name, api_key: key } = await control.sandboxes.create({ name: 'one' })
    const within = control.sandboxes.control(name)
    const [outside, inside] = [await order(IMAGE), await order(IMAGE, key)]
    expect(inside).not.toBe(outside)
    expect((await within.tasks.list()).data.map(({ id }) => id)).toEqual([inside])
    expect((await control.tasks.list()).data.map(({ id }) => id)).toEqual([outside])
    expect(await code(control.tasks.get(inside))).toBe('404 task_not_found')
    expect(await code(within.tasks.get(outside))).toBe('404 task_not_found')
    expect((await get(`/api/v1/tasks/${outside}`, key)).error.code).toBe('task_not_found')
    const headed = await fetch(`${origin}/_sim/tasks/${inside}`, { headers: { 'x-sim-sandbox': name } })
    expect(await headed.json()).toEqual(await within.tasks.get(inside))
    await within.clock.advance('1h')
    expect([(await within.clock.read()).now, (await control.clock.read()).now]).toEqual([
      '2026-01-01T01:00:00.000Z',
      START,
    ])
    expect([
      (await get(`/api/v1/tasks/${inside}`, key)).status,
      (await get(`/api/v1/tasks/${outside}`)).status,
    ]).toEqual(['succeeded', 'processing'])
    expect(await within.state()).toMatchObject({ sandbox: name, sandboxes: 0, tasks: { succeeded: 1 } })
    expect(await control.state()).toMatchObject({ sandbox: null, sandboxes: 1, tasks: { succeeded: 0 } })
  })

  it('tell users apart by the suffix of the key', async () => {
    const { control, order, get } = await open()
    const { id: name, api_key: key } = await control.sandboxes.create()
    const [own, alices] = [await order(IMAGE, key), await order(VIDEO, `${key}.alice`)]
    expect((await control.sandboxes.control(name).tasks.list()).data).toHaveLength(2)
    expect((await get('/api/v1/tasks', `${key}.alice`)).data.map(({ id }: { id: string }) => id)).toEqual([
      alices,
    ])
    expect((await get(`/api/v1/tasks/${own}`, `${key}.alice`)).error.code).toBe('task_not_found')
  })

  it('accept their own key regardless of the keys in their scenario, and accept listed keys after a dot', async () => {
    const { control, order, get } = await open()
    const { api_key: key } = await control.sandboxes.create({
      scenario: { auth: { keys: [{ key: 'sk_alice' }] } },
    })
    expect(await order(IMAGE, key)).toMatch(/^task_/)
    expect(await order(IMAGE, `${key}.sk_alice`)).toMatch(/^task_/)
    expect((await get('/api/v1/tasks', `${key}.sk_bob`)).error.code).toBe('unauthorized')
  })

  it('answer 404 for an unknown id and 401 for an unknown key', async () => {
    const { control, get, origin } = await open()
    const { id, api_key: key } = await control.sandboxes.create()
    await control.sandboxes.delete(id)
    for (const unknown of [key, `${key}.alice`, 'sk_sandbox_', `${key}x`])
      expect((await get('/api/v1/tasks', unknown)).error.code).toBe('unauthorized')
    for (const named of [id, 'sb_99', '', '../_sim', '__proto__'])
      expect((await fetch(`${origin}/_sim/state`, { headers: { 'x-sim-sandbox': named } })).status).toBe(404)
    expect((await fetch(`${origin}/files/${id}/task_x/0.png`)).status).toBe(404)
    expect((await control.journal.list({ status: 401 })).data).toHaveLength(4)
  })

  it('cannot contain sandboxes', async () => {
    const { control, sim } = await open()
    const { id } = await control.sandboxes.create()
    const within = control.sandboxes.control(id)
    expect(await code(within.sandboxes.create())).toBe('409 conflict')
    expect(await within.sandboxes.list()).toEqual([])
    expect(await code(within.sandboxes.delete(id))).toBe('404 not_found')
    expect(await code(within.sandboxes.control(id).state())).toBe('404 not_found')
    expect(sim.sandboxes.size).toBe(1)
  })

  it('sign file URLs that are invalid in another sandbox', async () => {
    const { control, order, get, origin } = await open({ scenario: 'instant' })
    const [one, other] = [await control.sandboxes.create(), await control.sandboxes.create()]
    const id = await order(IMAGE, one.api_key)
    expect(await order(IMAGE, other.api_key)).toBe(id)
    await order(IMAGE)
    const [url] = (await get(`/api/v1/tasks/${id}`, one.api_key)).output.images
    expect(url).toContain(`${origin}/files/${one.id}/${id}/0.png?`)
    const file = await fetch(url)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    const elsewhere = [url.replace(one.id, other.id), url.replace(`/${one.id}`, '')]
    for (const forged of elsewhere) expect([403, 404]).toContain((await fetch(forged)).status)
    await control.sandboxes.delete(one.id)
    expect((await fetch(url)).status).toBe(404)
  })

  it('make the same tasks with the same name and seed, and different ones otherwise', async () => {
    const { control, order } = await open({ scenario: 'realistic' })
    const ids: string[] = []
    for (const options of [{ name: 'a' }, { name: 'a' }, { name: 'b' }, { name: 'a', seed: 'x' }])
      ids.push(await order(IMAGE, (await control.sandboxes.create(options)).api_key))
    expect(ids[1]).toBe(ids[0])
    expect(new Set(ids).size).toBe(3)
  })

  it('have separate webhooks, metrics, journals and findings', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const { id: name, api_key: key } = await control.sandboxes.create()
    const within = control.sandboxes.control(name)
    const { url, received } = await startReceiver()
    await within.receivers.add({ url, secret: 'its own' })
    await Promise.all([order(IMAGE), order(IMAGE, key)])
    await within.clock.advance('1s')
    await control.clock.advance('1s')
    expect(received).toHaveLength(1)
    const { body, headers } = first(received)
    expect(verifySignature(body, String(headers['x-service-signature']), 'its own')).toBe(true)
    expect((await control.deliveries.list()).data).toEqual([])
    expect((await within.deliveries.list()).counts.delivered).toBe(1)
    expect(await control.metrics()).toContain('tasksim_deliveries{state="delivered"} 0')
    expect(await within.metrics()).toContain('tasksim_deliveries{state="delivered"} 1')
    expect((await control.journal.list({ type: 'delivery' })).data).toEqual([])
    expect(first((await within.journal.list({ type: 'delivery' })).data).type).toBe('delivery')
  })

  it('are reset one by one', async () => {
    const { control, order, sim } = await open({ scenario: QUICK })
    const [one, other] = [await control.sandboxes.create(), await control.sandboxes.create()]
    for (const key of [one.api_key, other.api_key, KEY]) await order(IMAGE, key)
    await control.sandboxes.control(one.id).reset()
    const counts = async () => [
      (await control.tasks.list()).data.length,
      ...(await control.sandboxes.list()).map(({ tasks }) => tasks),
    ]
    expect(await counts()).toEqual([1, 0, 1])
    await control.reset()
    expect(await counts()).toEqual([0, 0, 1])
    expect(sim.sandboxes.size).toBe(2)
  })

  it('drop their pending work and answer no request after deletion', async () => {
    const { control, order, sim } = await open({ scenario: QUICK })
    const { id: name, api_key: key } = await control.sandboxes.create({ clock: 'real', speed: 1_000 })
    const silent = await startReceiver(() => {})
    onTestFinished(() => expect(silent.received).toHaveLength(1))
    await control.sandboxes.control(name).receivers.add({ url: silent.url })
    await order(IMAGE, key)
    await expect.poll(() => silent.received.length).toBe(1)
    const inner = sim.sandboxes.get(name)?.sim
    await control.sandboxes.control(name).clock.freeze()
    await order(VIDEO, key)
    await control.sandboxes.delete(name)
    await inner?.settled()
    expect(inner?.clock).toMatchObject({ mode: 'manual', next: undefined })
    expect(inner?.webhooks.log.counts).toMatchObject({ pending: 0 })
  })
})
