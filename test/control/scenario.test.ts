import { expect, it } from 'vitest'
import { SHIPPED_NAMES } from '../../src/index.js'
import { json } from '../support/json.js'
import { code, describeClients, IMAGE, KEY, QUICK, refusal, START } from './describe-clients.js'

describeClients('the state', (open) => {
  it('shows the settings of the simulation and the count of each resource', async () => {
    const { control, order, get } = await open({ scenario: QUICK, seed: 'seven' })
    expect(await control.state()).toMatchObject({
      sandbox: null,
      seed: 'seven',
      clock: { now: START, mode: 'manual', speed: 0, next: null },
      tasks: { queued: 0, processing: 0, succeeded: 0, failed: 0, canceled: 0 },
      requests: 0,
      spent_usd: 0,
      sandboxes: 0,
      journal: 0,
    })
    const id = await order()
    await control.clock.advance('1s')
    const { cost_usd: cost } = await get(`/api/v1/tasks/${id}`)
    expect(await control.state()).toMatchObject({
      tasks: { succeeded: 1 },
      requests: 2,
      spent_usd: cost,
      deliveries: { pending: 0, delivered: 0, given_up: 0, lost: 0 },
    })
  })
})

describeClients('the clock in the control API', (open) => {
  it('makes every move, and returns the new time', async () => {
    const { control, order } = await open({ scenario: QUICK })
    await order()
    expect(await control.clock.read()).toMatchObject({ now: START, next: '2026-01-01T00:00:01.000Z' })
    expect((await control.clock.advance('500ms')).now).toBe('2026-01-01T00:00:00.500Z')
    expect(await control.clock.runUntilIdle()).toMatchObject({ now: '2026-01-01T00:00:01.000Z', next: null })
    expect((await control.clock.advanceTo('2026-02-01T00:00:00Z')).now).toBe('2026-02-01T00:00:00.000Z')
    expect(await control.clock.run(1_000_000)).toMatchObject({ mode: 'real', speed: 1_000_000 })
    expect(await control.clock.freeze()).toMatchObject({ mode: 'manual', speed: 0 })
    expect(await control.clock.run()).toMatchObject({ mode: 'real', speed: 1 })
  })

  it('rejects a speed on a clock that does not run, names the remedy, and changes nothing', async () => {
    const { control, origin } = await open()
    const turn = (body: object) => answerTo(origin, body)
    const before = await control.clock.read()
    for (const [body, remedy] of [
      [{ speed: 2 }, '{"mode": "real"}'],
      [{ speed: 2, advance: '1s' }, '{"mode": "real"}'],
      [{ mode: 'manual', speed: 5 }, 'Omit `speed`'],
    ] as const) {
      const { status, error } = await turn(body)
      expect([status, error.param]).toEqual([400, 'speed'])
      expect(error.message).toContain(remedy)
      expect(await control.clock.read()).toEqual(before)
    }
    expect(await turn({ mode: 'real', speed: 5 })).toMatchObject({ mode: 'real', speed: 5 })
    expect(await turn({ speed: 7 })).toMatchObject({ mode: 'real', speed: 7 })
    expect(await turn({ mode: 'manual', speed: 5 })).toMatchObject({ status: 400 })
    expect(await turn({ mode: 'manual' })).toMatchObject({ mode: 'manual', speed: 0 })
  })

  it.each([
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.678+02:00', '2026-01-02T01:04:05.678Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('moves to %s', async (instant, now) => {
    const { control } = await open()
    expect((await control.clock.advanceTo(instant)).now).toBe(now)
  })

  it.each(['1', '2027', 'January 5, 2027', '2027-02-30', '2027-02-03 10:00', '10000-01-01T00:00:00Z', ''])(
    'does not move to %j',
    async (instant) => {
      const { control } = await open()
      const { details } = await refusal(control.clock.advanceTo(instant))
      expect([details['param'], (await control.clock.read()).now]).toEqual(['to', START])
    },
  )

  it('rejects impossible moves, and keeps its time', async () => {
    const { control, order } = await open({ scenario: { defaults: { delay: '10d' } } })
    await order()
    const before = await control.clock.read()
    expect(await code(control.clock.advance('soon'))).toBe('400 invalid_request')
    expect(await code(control.clock.advanceTo('2025-01-01T00:00:00Z'))).toBe('400 invalid_request')
    expect(await code(control.clock.advanceTo('+275760-01-01T00:00:00Z'))).toBe('400 invalid_request')
    expect(await code(control.clock.run(0))).toBe('400 invalid_request')
    expect(await control.clock.read()).toEqual(before)
    expect((await refusal(control.clock.runUntilIdle('1d'))).message).toContain(
      'a job is scheduled for 2026-01-11',
    )
  })
})

describeClients('the scenario in the control API', (open) => {
  it('is shown with its text if it is shipped or was given as text', async () => {
    const { control } = await open({ scenario: 'flaky' })
    const shown = await control.scenario.get()
    expect([shown.name, shown.shipped]).toEqual(['flaky', SHIPPED_NAMES])
    expect(shown.text).toContain('description:')
    const text = '# mine\ndescription: Slow ones.\ndefaults: { delay: 1m }\n'
    expect(await control.scenario.replace({ text })).toMatchObject({ text, description: 'Slow ones.' })
    expect((await control.scenario.get()).text).toBe(text)
  })

  it('has files to read, which do not become active', async () => {
    const { control } = await open()
    const { name, text } = await control.scenario.shipped('stuck')
    expect([name, (await control.scenario.get()).name]).toEqual(['stuck', 'default'])
    expect((await control.scenario.replace({ text })).text).toBe(text)
    expect(await code(control.scenario.shipped('nothing'))).toBe('404 not_found')
  })

  it('is replaced by name, text or object; existing tasks keep their plans', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const old = await order()
    await control.scenario.replace({ name: 'stuck' })
    const stuck = await order()
    await control.scenario.replace({ text: 'defaults: { delay: 2s }' })
    const slower = await order()
    await control.scenario.replace({ scenario: { defaults: { delay: '3s' } } })
    const slowest = await order()
    await control.clock.advance('1d')
    const ends = await Promise.all([old, stuck, slower, slowest].map((id) => control.tasks.get(id)))
    expect(ends.map(({ completed_at: at }) => at?.slice(17, 19))).toEqual(['01', undefined, '02', '03'])
  })

  it('is patched setting by setting', async () => {
    const { control, order } = await open({
      scenario: { defaults: { delay: '5s' }, outputs: { lifetime: '1h' } },
    })
    const patched = await control.scenario.patch({ defaults: { failures: { rate: 1 } } })
    expect(patched.text).toBeNull()
    const id = await order()
    expect((await control.tasks.get(id)).plan).toMatchObject({
      outcome: 'failed',
      ends_at: '2026-01-01T00:00:05.000Z',
    })
  })

  it('has no text after a patch, even if it is a shipped one', async () => {
    const { control } = await open({ scenario: 'flaky' })
    expect((await control.scenario.patch({ outputs: { lifetime: '1h' } })).text).toBeNull()
    expect((await control.scenario.get()).text).toBeNull()
    expect((await control.scenario.replace({ name: 'flaky' })).text).toContain('description:')
  })

  it.each([
    ['text that is not YAML', { text: 'a: [' }, 1],
    ['two mistakes in a text', { text: 'defaults: { delay: soon }\noutputs: { lifetime: never }' }, 2],
    ['an object with a mistake', { scenario: { defaults: { delay: 'soon' } } }, 1],
    ['an unknown name', { name: 'nothing' }, undefined],
    ['an alias that multiplies itself', { text: bomb() }, undefined],
    ['null', { scenario: null }, undefined],
    ['a list', { scenario: [] }, undefined],
    ['a number for a name', { name: 7 }, undefined],
    ['a number for a text', { text: 7 }, undefined],
    ['two at once', { name: 'flaky', text: '' }, undefined],
    ['nothing', {}, undefined],
    ['files of this machine', { scenario: { defaults: { files: ['/etc/a.txt'] } } }, undefined],
    ['a text with files', { text: 'kinds: { image: { files: [/etc/a.txt] } }' }, undefined],
    ['a name with an unknown field', { name: 'flaky', keep: true }, undefined],
    ['a prototype', { scenario: JSON.parse('{"__proto__": {"description": "x"}}') }, undefined],
    [
      'an object in place of a word',
      { scenario: { webhooks: { faults: [{ then: { timing: { toString: 1 } } }] } } },
      1,
    ],
    [
      'a header that would break out',
      { scenario: { faults: [{ then: { headers: { 'x-a': 'b\r\nc: d' } } }] } },
      1,
    ],
  ])('is not replaced by %s; nothing changes', async (_, choice, mistakes) => {
    const { control, sim } = await open({ scenario: 'flaky' })
    const before = sim.scenario
    const { status, details } = await refusal(control.scenario.replace(choice as { name: string }))
    expect(status).toBe(400)
    if (mistakes !== undefined) {
      expect(details['mistakes']).toHaveLength(mistakes)
      expect(details['code']).toBe('invalid_scenario')
    }
    expect(sim.scenario).toBe(before)
    expect((await control.journal.list({ type: 'control' })).data).toEqual([])
    expect(({} as { description?: string }).description).toBeUndefined()
  })

  it('may extend files whose texts are given, but publishes no files', async () => {
    const { control } = await open()
    const text = 'extends: ./base.yaml\ndescription: own\n'
    const bases = { './base.yaml': 'extends: ../root.yaml\n', '../root.yaml': 'auth: { keys: [sk_root] }\n' }
    expect(await control.scenario.replace({ text, bases })).toMatchObject({ description: 'own' })
    await expect(control.scenario.replace({ text, bases: {} })).rejects.toThrow('cannot extend "./base.yaml"')
    const wrong = { './base.yaml': 'kinds: { video: { delay: soon } }' }
    await expect(control.scenario.replace({ text, bases: wrong })).rejects.toThrow('./base.yaml:1:')
    const files = { './base.yaml': 'kinds: { image: { files: [/etc/hosts.png] } }' }
    await expect(control.scenario.replace({ text, bases: files })).rejects.toThrow('cannot publish files')
  })

  it('reports the position of each mistake in a text', async () => {
    const { control } = await open()
    const { details } = await refusal(control.scenario.replace({ text: 'defaults:\n  delay: soon\n' }))
    expect(details['mistakes']).toMatchObject([{ line: 2, column: 10, path: 'defaults.delay' }])
  })

  it.each([
    [{ defaults: { delay: 'soon' } }],
    [{ extends: 'flaky' }],
    [{ nonsense: true }],
    [{ dialects: { nobody: { secret: 'x' } } }],
    [{ dialects: { tasks: { secret: 'x' } } }],
  ])('is not patched by %j; nothing changes', async (layer) => {
    const { control, sim } = await open({ scenario: 'flaky' })
    const before = sim.scenario
    expect(await code(control.scenario.patch(layer as object))).toBe('400 invalid_scenario')
    expect(sim.scenario).toBe(before)
  })

  it('sets the style of errors of the service, and not of the control API', async () => {
    for (const errors of ['detail', 'problem'] as const) {
      const { control, get } = await open({ scenario: { api: { errors } } })
      expect(await get('/api/v1/tasks/none')).toMatchObject({ detail: expect.any(String) })
      expect(await code(control.tasks.get('task_none'))).toBe('404 task_not_found')
      expect(await code(control.sandboxes.control('sb_none').state())).toBe('404 not_found')
    }
  })
})

describeClients('a reset', (open) => {
  it('restores the initial state: no tasks, no deliveries, the first scenario, the same ids', async () => {
    const { control, order } = await open({ scenario: QUICK, receivers: [() => new Response()] })
    await control.receivers.add({ url: 'http://127.0.0.1:9/hook' })
    const id = await order(IMAGE, KEY)
    await control.clock.advance('1s')
    await control.scenario.replace({ name: 'stuck' })
    await control.reset()
    expect(await control.state()).toMatchObject({
      scenario: { name: 'inline' },
      clock: { now: START, next: null },
      tasks: { succeeded: 0 },
      requests: 0,
      deliveries: { pending: 0, delivered: 0 },
      spent_usd: 0,
    })
    expect((await control.tasks.list()).data).toEqual([])
    expect((await control.deliveries.list()).data).toEqual([])
    expect(await control.receivers.list()).toHaveLength(1)
    expect((await control.journal.list()).data).toMatchObject([{ type: 'control', what: 'reset' }])
    expect(await order(IMAGE, KEY)).toBe(id)
  })
})

/** Returns the answer of the clock operation to a body that the typed client cannot send. */
async function answerTo(origin: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${origin}/_sim/clock`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { status: response.status, ...(await json(response)) }
}

/** Returns a short text whose aliases expand to a billion values. */
function bomb(): string {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  for (const [name, inner] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih'].map((pair) => [...pair]))
    lines.push(`${name}: &${name} [${Array(10).fill(`*${inner}`).join(', ')}]`)
  return lines.join('\n')
}
