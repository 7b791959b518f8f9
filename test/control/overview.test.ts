import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CostsOverTime } from '../../src/control/overview/cost-series.js'
import { describeClients, IMAGE, QUICK, START } from './describe-clients.js'

const PRICED = { defaults: { delay: '1s', price: { per_task: 0.04 } } } as const

describeClients('the overview', (open) => {
  it('has the costs by model and by key, which add up to the total', async () => {
    const { control, order } = await open({ scenario: PRICED })
    await order()
    await control.clock.advance('1s')
    await order(IMAGE, 'sk_live_other_person')
    await order({ model: 'acme/image-hd', input: { prompt: 'a boat' } })
    await control.clock.advance('3s')
    const { spending } = await control.overview()
    const { spent_usd: spent } = await control.state()
    expect(spending).toMatchObject({ total_usd: spent, unassigned_usd: 0, step_ms: 1_000 })
    expect(spending.from).toBe('2026-01-01T00:00:01.000Z')
    const sum = (series: readonly { usd: number }[]) => series.reduce((total, { usd }) => total + usd, 0)
    expect(sum(spending.models)).toBeCloseTo(spent)
    expect(sum(spending.keys)).toBeCloseTo(spent)
    expect(spending.models.map(({ name }) => name).sort()).toEqual(['acme/image-1', 'acme/image-hd'])
    expect(spending.keys.map(({ name }) => name).sort()).toEqual(['sk_...ocal', 'sk_...rson'])
    expect(spending.models.find(({ name }) => name === 'acme/image-1')?.steps).toEqual([0.04, 0.04])
  })

  it('follows tasks after the first request, also those that were evicted, until a reset', async () => {
    const { control, order } = await open({ scenario: PRICED, keepTasks: 1 })
    for (let task = 0; task < 2; task++) await order({ ...IMAGE, input: { prompt: `boat ${task}` } })
    await control.clock.advance('1s')
    expect((await control.overview()).spending).toMatchObject({ total_usd: 0.08, unassigned_usd: 0.04 })
    await order()
    await control.clock.advance('1s')
    const { spending } = await control.overview()
    expect(spending).toMatchObject({ total_usd: 0.12, unassigned_usd: 0.04, models: [{ usd: 0.08 }] })
    await control.reset()
    expect((await control.overview()).spending).toMatchObject({ total_usd: 0, unassigned_usd: 0, from: null })
  })

  it('has the costs of an imported state, as of tasks that the simulator still keeps', async () => {
    const { control, order } = await open({ scenario: PRICED })
    await order()
    await control.clock.advance('1s')
    const { spending } = await control.overview()
    await control.importState(await control.exportState())
    expect((await control.overview()).spending).toEqual(spending)
    await order(IMAGE, 'sk_live_other_person')
    await control.clock.advance('1s')
    const { keys } = (await control.overview()).spending
    expect(keys.map(({ usd }) => usd)).toEqual([0.04, 0.04])
  })

  it('has the limits on running tasks, without keys', async () => {
    const { control } = await open({
      scenario: {
        ...QUICK,
        capacity: {
          running: 2,
          kinds: { video: { running: 1, queued: 3 } },
          keys: { sk_live_local_key: { running: 1 } },
        },
      },
    })
    expect((await control.overview()).limits).toEqual([
      { scope: 'everything', name: '', running: 2 },
      { scope: 'kind', name: 'video', running: 1, queued: 3 },
      { scope: 'key', name: 'sk_..._key', running: 1 },
    ])
  })

  it('has a receiver from its first failure until it accepts a webhook', async () => {
    let status = 503
    const { control, order } = await open({
      scenario: { ...QUICK, webhooks: { retries: ['1m', '1m'] } },
      receivers: [() => new Response(null, { status })],
    })
    await order()
    await control.clock.advance('1s')
    const { failing } = await control.overview()
    expect(failing).toMatchObject([{ failures: 1, status: 503, since: '2026-01-01T00:00:01.000Z' }])
    expect(Date.parse(failing[0]?.next_attempt_at ?? START)).toBeGreaterThan(Date.parse(START) + 50_000)
    await control.clock.advance('70s')
    expect((await control.overview()).failing).toMatchObject([{ failures: 2, since: failing[0]?.since }])
    status = 204
    await control.clock.advance('70s')
    expect((await control.overview()).failing).toEqual([])
  })
})

it('the overview keeps every cost in at most 60 steps, however far apart the costs are', () => {
  const cost = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    at: fc.integer({ min: 0, max: 4e12 }),
    cost: fc.integer({ min: 1, max: 1e6 }),
  })
  fc.assert(
    fc.property(fc.array(cost, { minLength: 1, maxLength: 80 }), (costs) => {
      const kept = new CostsOverTime()
      for (const { name, at, cost } of costs) kept.add(name, at, cost)
      const { from = NaN, step, series } = kept.read()
      for (const { name, cost: sum, steps } of series) {
        const own = costs.filter((each) => each.name === name)
        const expected = steps.map((_, index) =>
          own
            .filter(({ at }) => Math.floor((at - from) / step) === index)
            .reduce((total, each) => total + each.cost, 0),
        )
        expect(steps.length).toBeLessThanOrEqual(60)
        expect(steps).toEqual(expected)
        expect(sum).toBe(own.reduce((total, each) => total + each.cost, 0))
      }
    }),
  )
})

it('the overview has one series for all names after the first 50', () => {
  const kept = new CostsOverTime()
  for (let name = 0; name < 500; name++) kept.add(`model ${name}`, 0, 1)
  const { series } = kept.read()
  expect([series.length, series[0]]).toEqual([51, { name: 'others', cost: 450, steps: [450] }])
})
