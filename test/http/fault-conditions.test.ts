import { expect, it } from 'vitest'
import { defineScenario, type ScenarioInput } from '../../src/index.js'
import { statuses, taskPath } from './create-directly.js'
import { type Client, describeHosts, IMAGE, VIDEO } from './hosts.js'

type Faults = NonNullable<ScenarioInput['faults']>
type When = NonNullable<Faults[number]['when']>

const LIST = '/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local' }

/** Sends one request of each type, and returns the names of those that failed. */
async function failingRequests(client: Client): Promise<string[]> {
  const image = await taskPath(client)
  const video = await taskPath(client, VIDEO)
  const head = async () => ({
    status: (await client.send(LIST, { method: 'HEAD', headers: HEADERS })).status,
  })
  const requests: Record<string, () => Promise<{ status: number }>> = {
    list: () => client.get(LIST),
    head,
    'create image': () => client.post(LIST, IMAGE),
    'create video': () => client.post(LIST, VIDEO),
    'create nonsense': () => client.post(LIST, { model: 3 }),
    'get image': () => client.get(image),
    'get video': () => client.get(video),
    'get nothing': () => client.get(`${LIST}/task_none`),
    'cancel video': () => client.post(`${video}/cancel`),
  }
  const wrong: string[] = []
  for (const [name, send] of Object.entries(requests)) if ((await send()).status === 599) wrong.push(name)
  return wrong
}

const ALL = [
  'list',
  'head',
  'create image',
  'create video',
  'create nonsense',
  'get image',
  'get video',
  'get nothing',
  'cancel video',
]
const ON_VIDEO = ['create video', 'get video', 'cancel video']

describeHosts('the conditions of a fault', (open) => {
  it.each<[When, string[]]>([
    [{}, ALL],
    [{ operation: 'tasks.list' }, ['list', 'head']],
    [{ operation: ['tasks.create', 'tasks.cancel'] }, ALL.filter((name) => /^(create|cancel)/.test(name))],
    [{ method: 'GET' }, ['list', 'get image', 'get video', 'get nothing']],
    [{ method: 'HEAD' }, ['head']],
    [{ method: 'POST', operation: 'tasks.cancel' }, ['cancel video']],
    [{ model: 'acme/image-*' }, ['create image', 'get image']],
    [{ kind: 'video' }, ON_VIDEO],
    [{ kind: 'video', operation: 'tasks.retrieve' }, ['get video']],
    [{ key: 'sk_live_*' }, ALL],
    [{ key: 'sk_test_*' }, []],
    [{ input: { prompt: 'waves', duration: { min: 5 } } }, ON_VIDEO],
    [{ task_status: 'processing' }, ['get image', 'get video', 'cancel video']],
    [{ task_status: 'succeeded' }, []],
    [{ input: { prompt: { matches: 'LIGHT', ignore_case: true } } }, ['create image', 'get image']],
  ])('%j match %j', async (when, expected) => {
    expect(await failingRequests(await open({ scenario: { faults: [{ when, then: 599 }] } }))).toEqual(
      expected,
    )
  })

  it('ignore the tasks of another key', async () => {
    const client = await open({ scenario: { faults: [{ when: { model: 'acme/*' }, then: 503 }] } })
    expect((await client.get(await taskPath(client, { owner: 'sk_other' }))).status).toBe(404)
    expect((await client.get(await taskPath(client))).status).toBe(503)
  })
})

describeHosts('the frequency of a fault', (open) => {
  it.each<[Faults[number], number[]]>([
    [{ then: ['pass', 503, 500, 'pass'] }, [200, 503, 500, 200, 200, 200]],
    [{ then: [503] }, [503, 200, 200, 200, 200, 200]],
    [{ when: { nth: 3 }, then: 503 }, [200, 200, 503, 200, 200, 200]],
    [{ when: { nth: { min: 2, max: 4 } }, then: 503 }, [200, 503, 503, 503, 200, 200]],
    [{ when: { nth: { min: 5 } }, then: 503 }, [200, 200, 200, 200, 503, 503]],
    [{ when: { nth: { every: 2 } }, then: 503 }, [200, 503, 200, 503, 200, 503]],
    [{ when: { rate: 1 }, then: 503 }, [503, 503, 503, 503, 503, 503]],
    [{ when: { rate: 0 }, then: 503 }, [200, 200, 200, 200, 200, 200]],
  ])('of %j gives six requests the statuses %j', async (fault, expected) => {
    const { get } = await open({ scenario: { faults: [fault] } })
    expect(await statuses(6, () => get(LIST))).toEqual(expected)
  })

  it('counts for each task separately', async () => {
    const when: When = { operation: 'tasks.retrieve', per: 'task' }
    const client = await open({ scenario: { faults: [{ when, then: [503, 'pass', 500] }] } })
    const [one, two] = [await taskPath(client), await taskPath(client)]
    const paths = [one, two, one, one, two, two, one]
    expect(await statuses(7, (time) => client.get(paths[time - 1] ?? ''))).toEqual([
      503, 503, 200, 500, 200, 500, 200,
    ])
  })

  it('counts creates of the same model and input as one task', async () => {
    const when: When = { operation: 'tasks.create', per: 'task', nth: 1 }
    const { post } = await open({ scenario: { faults: [{ when, then: 503 }] } })
    const orders = [IMAGE, VIDEO, { input: IMAGE.input, model: IMAGE.model, webhook_url: null }, VIDEO, IMAGE]
    expect(await statuses(5, (time) => post(LIST, orders[time - 1]))).toEqual([503, 503, 200, 200, 200])
  })

  it('counts only polls of a task with the status', async () => {
    const when: When = { task_status: 'succeeded', nth: 1 }
    const client = await open({ scenario: { faults: [{ when, then: 503 }] } })
    const path = await taskPath(client)
    expect(await statuses(2, () => client.get(path))).toEqual([200, 200])
    await client.sim.clock.advance('1h')
    expect(await statuses(2, () => client.get(path))).toEqual([503, 200])
  })

  it('counts for each API key separately', async () => {
    const { send } = await open({ scenario: { faults: [{ when: { per: 'key', nth: 2 }, then: 503 }] } })
    const ask = (key: string) => send(LIST, { headers: { authorization: `Bearer ${key}` } })
    const keys = ['sk_one', 'sk_two', 'sk_one', 'sk_two', 'sk_one']
    expect(await statuses(5, (time) => ask(keys[time - 1] ?? ''))).toEqual([200, 200, 503, 503, 200])
  })

  it('can have a window of the clock, whose end is excluded', async () => {
    const { sim, get } = await open({
      scenario: { faults: [{ when: { window: { from: '2s', to: '5s' } }, then: 503 }] },
    })
    const seen: number[] = []
    for (const step of ['1999ms', '1ms', '2999ms', '1ms']) {
      await sim.clock.advance(step as '1ms')
      seen.push((await get(LIST)).status)
    }
    expect(seen).toEqual([200, 503, 503, 200])
  })

  it('counts only within the window, and only since the scenario became active', async () => {
    const { sim, get } = await open()
    await sim.clock.advance('1h')
    sim.useScenario(defineScenario({ faults: [{ when: { window: { from: '1s' }, nth: 2 }, then: 503 }] }))
    expect(await statuses(3, () => get(LIST))).toEqual([200, 200, 200])
    await sim.clock.advance('1s')
    expect(await statuses(3, () => get(LIST))).toEqual([200, 503, 200])
  })

  it('increases over a ramp', async () => {
    const when: When = { rate: { from: 0, to: 1 }, window: { from: '10s', to: '110s' } }
    const client = await open({ scenario: { faults: [{ when, then: 503 }] } })
    const failures: number[] = []
    for (const step of ['10s', '50s', '49999ms', '1ms'] as const) {
      await client.sim.clock.advance(step)
      const seen = await statuses(50, (time) => client.get(`${LIST}?n=${time}`))
      failures.push(seen.filter((status) => status === 503).length)
    }
    expect(failures[0]).toBe(0)
    expect(failures[1]).toBeGreaterThan(15)
    expect(failures[1]).toBeLessThan(35)
    expect(failures.slice(2)).toEqual([50, 0])
  })

  it('of several matching faults selects the first that is not a pass, and the others keep counting', async () => {
    const faults: Faults = [
      { then: ['pass', 500, 'pass', 501] },
      { when: { nth: { every: 2 } }, then: 502 },
      { when: { nth: 5 }, then: 503 },
    ]
    const { get } = await open({ scenario: { faults } })
    expect(await statuses(7, () => get(LIST))).toEqual([200, 500, 200, 501, 503, 502, 200])
  })

  it('applies to the same requests, in any order and with any concurrency', async () => {
    const prompts = Array.from({ length: 30 }, (_, index) => `prompt ${index}`)
    const fates = async (order: readonly string[]) => {
      const { post } = await open({ scenario: { faults: [{ when: { rate: 0.5 }, then: 503 }] } })
      const answers = await Promise.all(
        order.map(async (prompt) => [prompt, (await post(LIST, { model: 'm', input: { prompt } })).status]),
      )
      return new Map(answers as [string, number][])
    }
    const straight = await fates(prompts)
    expect(new Set(straight.values())).toEqual(new Set([200, 503]))
    expect(await fates(prompts.toReversed())).toEqual(straight)
  })

  it('restarts with a reset', async () => {
    const { sim, get } = await open({ scenario: { faults: [{ then: [503] }] } })
    expect(await statuses(2, () => get(LIST))).toEqual([503, 200])
    await sim.reset()
    expect(await statuses(2, () => get(LIST))).toEqual([503, 200])
  })
})
