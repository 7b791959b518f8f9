import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../src/index.js'
import { describeClients, IMAGE, QUICK, refusal, VIDEO } from '../control/describe-clients.js'
import { OWN_DIALECTS } from '../dialects/matrix/any-client.js'
import { runs } from '../support/deep.js'
import { SCENARIO as WEBHOOKS } from './webhook-commands.js'
import { openWorld, type World } from './world.js'

/** A simulator that the end of the test closes. */
function simulator(options: SimulatorOptions = {}) {
  const sim = createSimulator({ clock: 'manual', ...options })
  onTestFinished(() => sim.close())
  return sim
}

const SAVED_TASK = {
  id: 'task_1',
  dialect: 'tasks',
  identity: 1,
  owner: 'sk_one',
  ...IMAGE,
  kind: 'image',
  baseKind: 'image',
  inputBytes: 20,
  origin: 'http://localhost',
  createdAt: 0,
  plan: { outcome: 'succeeded', queueing: 0, end: { after: 1_000 }, price: {} },
  media: { kind: 'image', width: 64, height: 64, format: 'png', count: 1 },
  course: { status: 'processing', startedAt: 0 },
}

/** A row of a delivery whose attempts have sent parts of its bytes. */
function savedDelivery(changes: object, bodies: readonly (readonly [number, number])[] = []): string {
  const attempts = bodies.map((body, index) => ({
    ...{ number: index + 1, startedAt: 0, took: 1 },
    sent: { headers: {}, body },
  }))
  const value = {
    ...{ id: 'dlv_00000001', taskId: 'task_1', format: 'tasks', event: 'done', taskEvent: 'task.succeeded' },
    ...{ url: 'http://app.test/', createdAt: 0, payload: [0, 2], ...changes },
    course: { state: 'given_up', attempts, ended: 1 },
  }
  return JSON.stringify({ kind: 'delivery', seq: 1, bytes: btoa('body'), value })
}

function savedSandbox(seq: number): string {
  const identity = { id: `sb_${seq}`, name: '', key: `key_${seq}`, root: 'sandbox' }
  return JSON.stringify({ kind: 'sandbox', seq, value: { identity, idle: 1_000, own: {} } })
}

describeClients('a saved state', (open, way) => {
  it('continues in another simulator, in place of everything that this one had', async () => {
    const from = await open({ scenario: QUICK })
    const id = await from.order(IMAGE)
    await from.control.clock.advance('400ms')
    const text = await from.control.exportState()
    const to = createSimulator({ clock: 'manual', seed: '1' })
    await to.tasks.create({
      owner: 'sk_live_local',
      ...VIDEO,
      webhookUrl: undefined,
      origin: 'http://localhost',
    })
    await to.clock.advance('1h')
    const state = await to.control.importState(text)
    expect(state.clock.now).toBe('2026-01-01T00:00:00.400Z')
    expect([...to.tasks.all()].map((task) => task.id)).toEqual([id])
    await to.clock.advance('599ms')
    expect(to.tasks.get(id)?.status).toBe('processing')
    await to.clock.advance('1ms')
    expect(to.tasks.get(id)?.status).toBe('succeeded')
    to.close()
  })

  it('gives the same file again', async () => {
    const { control, order } = await open({ scenario: QUICK })
    await order(IMAGE)
    await control.clock.advance('2s')
    const text = await control.exportState()
    await control.reset()
    await control.importState(text)
    const withoutTimes = (state: string) => state.replaceAll(/"wall":\d+/g, '')
    // The requests to the control API are in the journal of both.
    const tasks = (state: string) =>
      withoutTimes(state)
        .split('\n')
        .filter((line) => /"kind":"(?:task|course|meta)"/.test(line))
    expect(tasks(await control.exportState())).toEqual(tasks(text))
  })

  it.each([
    ['a line that is no row', '{"kind":"task"}', 'Line 2 of the state is not a row: `seq` is not'],
    [
      'an unknown kind',
      '{"kind":"tsk","seq":1,"value":{}}',
      'Line 2 of the state has the unknown kind "tsk". Expected meta,',
    ],
    [
      'an unknown sandbox',
      '{"kind":"requests","seq":0,"space":"sbx","value":1}',
      'Line 2 of the state belongs to the sandbox "sbx", which the state does not have.',
    ],
    [
      'the same row again',
      '{"kind":"requests","seq":0,"value":1}\n{"kind":"requests","seq":0,"value":2}',
      'Line 3 of the state has the same row as line 2. Delete one of them.',
    ],
    [
      'a clock without a time',
      '{"kind":"meta","seq":0,"value":{"seed":"1","clock":{"speed":1,"now":1e300,"wall":1}}}',
      'Line 2 of the state, of the kind "meta", cannot be used: `clock.now` must be epoch milliseconds in the years 1 to 9999, before their last day, got 1e+300.',
    ],
    [
      'a task in an unknown state',
      `{"kind":"task","seq":1,"value":${JSON.stringify({ ...SAVED_TASK, course: { status: 'flying' } })}}`,
      'Line 2 of the state, of the kind "task", cannot be used: `course.status` must be one of queued,',
    ],
    [
      'a task without a valid time',
      `{"kind":"task","seq":1,"value":${JSON.stringify({ ...SAVED_TASK, createdAt: 'x' })}}`,
      'Line 2 of the state, of the kind "task", cannot be used: `createdAt` must be epoch milliseconds in the years 1 to 9999, got "x".',
    ],
    [
      'a task in two rows',
      [1, 2].map((seq) => JSON.stringify({ kind: 'task', seq, value: SAVED_TASK })).join('\n'),
      'Line 3 of the state, of the kind "task", cannot be used: `id` must differ from those of other rows, got "task_1".',
    ],
    [
      'a payload outside the bytes of its row',
      savedDelivery({ payload: [0, 5] }),
      'Line 2 of the state, of the kind "delivery", cannot be used: a place in `bytes` must be within its 4 bytes, got [0,5].',
    ],
    [
      'a payload that ends before it begins',
      savedDelivery({ payload: [3, 1] }),
      'a place in `bytes` must be within its 4 bytes, got [3,1].',
    ],
    ['bodies that share bytes', savedDelivery({}, [[1, 4]]), 'the places in `bytes` must not overlap.'],
    [
      'more sandboxes than a server can have',
      Array.from({ length: 10_001 }, (_, index) => savedSandbox(index + 1)).join('\n'),
      'Line 10002 of the state, of the kind "sandbox", cannot be used: there are more than 10000 sandboxes.',
    ],
    [
      'content that cannot be used',
      '{"kind":"task","seq":1,"value":5}',
      'Line 2 of the state, of the kind "task", cannot be used: its value must be an object, got 5.',
    ],
  ])('is rejected for %s, which changes nothing', async (_, line, message) => {
    const { control, order } = await open()
    const id = await order()
    const count = line.split('\n').length
    const text = `{"tasksim":"state","version":2}\n${line}\n{"rows":${count}}\n`
    const error = await refusal(control.importState(text))
    expect([error.status, error.code]).toEqual([400, 'invalid_request'])
    expect(error.message).toContain(message)
    expect((await control.tasks.get(id)).id).toBe(id)
  })

  it('has the sandboxes, which take the place of the present ones', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const kept = await control.sandboxes.create({ name: 'kept', clock: 'manual' })
    const id = await order(IMAGE, kept.api_key)
    const text = await control.exportState()
    await control.sandboxes.delete(kept.id)
    await control.sandboxes.create({ name: 'other' })
    await control.importState(text)
    expect((await control.sandboxes.list()).map(({ name }) => name)).toEqual(['kept'])
    const sandbox = control.sandboxes.control(kept.id)
    await sandbox.clock.advance('1s')
    expect((await sandbox.tasks.get(id)).status).toBe('succeeded')
  })

  it('publishes only files that the scenario of the server names', async () => {
    const files = ['/srv/picture.png', '/etc/passwd.txt']
    const named = { scenario: { defaults: { files: [files[0] ?? ''] } } }
    const { control } = await open(named)
    const state = (file = '') => {
      const plan = { ...SAVED_TASK.plan, files: [file] }
      const row = JSON.stringify({ kind: 'task', seq: 1, value: { ...SAVED_TASK, plan } })
      return `{"tasksim":"state","version":2}\n${row}\n{"rows":1}\n`
    }
    await control.importState(state(files[0]))
    const error = await refusal(control.importState(state(files[1])))
    expect([error.status, error.message]).toEqual([400, expect.stringContaining('`files` must be files')])
    const scenario = simulator({ scenario: { kinds: { image: { files: [files[1] ?? ''] } } } })
    const other = await refusal(control.importState(await scenario.control.exportState()))
    expect(other.message).toMatch(
      /^Line 4 of the state, of the kind "scenario", cannot be used: `files` must/,
    )
  })

  it('is rejected if it has another seed', async () => {
    const { control } = await open({ seed: '7' })
    const text = await simulator({ seed: '8' }).control.exportState()
    const error = await refusal(control.importState(text))
    expect([error.status, error.code]).toEqual([409, 'conflict'])
    expect(error.message).toContain('The saved state has the random seed "8", but the simulator has "7".')
  })

  it('reports text that is not UTF-8', async () => {
    if (way === 'in process') return
    const { origin } = await open()
    const response = await fetch(`${origin}/_sim/state.jsonl`, {
      method: 'PUT',
      body: new Uint8Array([0xff]),
    })
    expect(response.status).toBe(400)
  })
})

const SCENARIO = {
  defaults: { delay: { min: '1s', max: '5s' }, failures: { rate: 0.3 } },
  capacity: { running: 2, queued: 50 },
} as const

/** Creates tasks and lets time pass: a number of milliseconds, or 0 for a task. */
async function play(world: World, steps: readonly number[]): Promise<void> {
  for (const step of steps) {
    if (step > 0) await world.sim.clock.advance(step)
    else
      await world.send({
        method: 'POST',
        path: '/v1/tasks',
        body: { ...IMAGE, webhook_url: 'http://app.test/' },
      })
  }
}

it('a saved state sends no webhook while it is checked', async () => {
  const world = await openWorld({ scenario: WEBHOOKS, transport: () => new Promise(() => {}) }, 'none')
  await play(world, [0, 0, 5_000])
  const text = await world.sim.control.exportState()
  expect(text).toContain('"wait":{"for":"attempt"')
  const fetched = vi.spyOn(globalThis, 'fetch')
  const posts: string[] = []
  const transport = async ({ url }: { url: string }) => {
    posts.push(url)
    return { status: 200 }
  }
  const to = simulator({ transport })
  await to.control.importState(text)
  await to.settled()
  expect(new Set(posts).size).toBeGreaterThan(0)
  expect(posts).toHaveLength([...to.webhooks.log.ended()].length)
  expect(fetched).not.toHaveBeenCalled()
  world.sim.close()
})

it('a saved state adds no dialect if it is rejected', async () => {
  const dialects = OWN_DIALECTS.slice(0, 1)
  const [table] = dialects
  const name = table?.name ?? ''
  const from = simulator()
  from.useScenario({
    ...from.scenario,
    dialects: { [name]: { table } },
    layer: { dialects: { [name]: { table } } },
  })
  const text = (await from.control.exportState()).replace('"kind":"requests","seq":0,"value":', '$&-')
  const to = simulator()
  expect((await refusal(to.control.importState(text))).status).toBe(400)
  expect(to.dialects.names).not.toContain(name)
  await to.control.importState(await from.control.exportState())
  expect(to.dialects.names).toContain(name)
})

it('the counts of a saved state that are missing or too low are those of its tasks and deliveries', async () => {
  const sim = simulator({
    scenario: QUICK,
    transport: async ({ url }) => ({ status: url.endsWith('/down') ? 503 : 200 }),
  })
  for (const url of ['http://app.test/', 'http://app.test/down'])
    await sim.tasks.create({ owner: 'sk_live_local', origin: 'http://localhost', ...IMAGE, webhookUrl: url })
  await sim.clock.advance('2s')
  await sim.tasks.create({
    owner: 'sk_live_local',
    origin: 'http://localhost',
    ...IMAGE,
    webhookUrl: undefined,
  })
  const text = await sim.control.exportState()
  for (const changed of [
    text.replace(/.*"kind":"(?:counters|delivery tally)".*\n/g, ''),
    text.replace(/"(?:queued|processing|succeeded|pending|delivered)":\d+/g, (count) =>
      count.replace(/\d+/, '0'),
    ),
  ]) {
    const rows = changed.trimEnd().split('\n').slice(0, -1)
    const to = simulator()
    await to.control.importState(`${rows.join('\n')}\n{"rows":${rows.length - 1}}\n`)
    expect(to.counters.tasks).toEqual(sim.counters.tasks)
    expect(to.webhooks.log.tally).toEqual(sim.webhooks.log.tally)
  }
})

it('a saved state continues as if nothing had happened between the save and the load', async () => {
  const steps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000 })), { maxLength: 8 })
  const property = fc.asyncProperty(steps, steps, steps, async (before, between, after) => {
    const continued = async (isLoaded: boolean) => {
      const world = await openWorld({ scenario: SCENARIO }, 'none')
      await play(world, before)
      const text = await world.sim.control.exportState()
      const seen = world.seen.length
      if (isLoaded) {
        await play(world, between)
        await world.sim.control.importState(text)
      }
      world.seen.length = seen
      await play(world, after)
      await world.sim.clock.advance('1h')
      // The request that loads the state is counted, and in the journal.
      const state = Object.assign({}, await world.state(), { journal: undefined, counts: undefined })
      world.sim.close()
      return [world.seen, state]
    }
    expect(await continued(true)).toEqual(await continued(false))
  })
  await fc.assert(property, { numRuns: runs(2, 70) })
})
