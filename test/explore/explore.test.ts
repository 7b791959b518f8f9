import { describe, expect, it } from 'vitest'
import { BaselineError } from '../../src/explore/baseline.js'
import { explore as exploreWith } from '../../src/explore/explore.js'
import type { ExplorationPlan, ExploreOptions } from '../../src/explore/options.js'
import { statusOf } from '../../src/explore/report.js'
import type { Finding, Severity } from '../../src/inspect/findings/finding.js'
import type { FindingId } from '../../src/inspect/findings/ids.js'
import { FakeDriver, type FakeRun, PLACES } from './fake-driver.js'

const FAILURE = { type: 'failure', status: 1, message: 'It failed.' } as const
const HANG = { type: 'hang', message: 'It makes no progress.' } as const

/** Explores a fake client, on a clock on which each run takes a second. */
async function explore(
  client: (order: { id: string }) => FakeRun = () => ({}),
  options: Partial<ExploreOptions> = {},
) {
  const driver = new FakeDriver(client)
  const plans: ExplorationPlan[] = []
  const report = await exploreWith(
    {
      command: ['node', 'client.js'],
      seed: '1',
      now: () => driver.orders.length * 1_000,
      onPlan: (plan) => plans.push(plan),
      ...options,
    },
    driver,
  )
  return { driver, report, plan: plans[0] }
}

/** A client that fails in some runs. */
const failingIn =
  (form: RegExp) =>
  ({ id }: { id: string }): FakeRun =>
    form.test(id) ? { end: FAILURE } : {}

const CREATE = { places: ['tasks.create'] }

describe('an exploration', () => {
  it('runs the client twice without deviations, and then once for each', async () => {
    const { driver, report, plan } = await explore()
    expect(driver.orders.slice(0, 3).map(({ id }) => id)).toEqual([
      'baseline',
      'baseline',
      'tasks.create#1:429',
    ])
    expect([...driver.ids].sort()).toEqual([...(plan?.runs ?? [])].sort())
    expect(driver.orders.map(({ orders }) => orders).slice(0, 3)).toEqual([
      undefined,
      ['tasks\0acme/image-1\0{}'],
      ['tasks\0acme/image-1\0{}'],
    ])
    expect(report).toMatchObject({
      version: 1,
      command: ['node', 'client.js'],
      seed: '1',
      baseline: { status: 0, requests: 4, tasks: 1, cost_usd: 0, places: PLACES.length },
      remarks: [],
      problems: [],
      left_out: { max_runs: 0, budget: 0, runs: [] },
      summary: { runs: driver.ids.length, ok: driver.ids.length, errors: 0, warnings: 0 },
    })
    expect(report.runs.map(({ id }) => id)).toEqual(plan?.runs)
    expect(statusOf(report)).toBe(0)
  })

  it('says how long the runs will take', async () => {
    const { plan } = await explore(undefined, { ...CREATE, deviations: ['lost', '503'], jobs: 2 })
    expect(plan).toEqual({
      runs: ['tasks.create#1:503', 'tasks.create#1:lost'],
      expected: 150,
      remarks: [],
      measures: false,
    })
  })

  it('reports what the client made of each run', async () => {
    const { report } = await explore(failingIn(/:(503|401)$/), CREATE)
    const [run] = report.runs.filter(({ id }) => id === 'tasks.create#1:503')
    expect(run).toMatchObject({
      place: 'tasks.create#1',
      operation: 'tasks.create',
      deviation: '503',
      class: 'transient',
      result: 'gave_up',
      severity: 'warning',
      ok: false,
      status: 1,
      tasks: 1,
      cost_usd: 0,
      ms: 100,
    })
    expect(report.problems).toMatchObject([
      {
        result: 'gave_up',
        runs: ['tasks.create#1:503'],
        repeat: 'tasksim explore --only "tasks.create#1:503" -- node client.js',
      },
    ])
    expect(report.summary).toEqual({ runs: 18, ok: 17, errors: 0, warnings: 1 })
    expect([statusOf(report), statusOf(report, 'error'), statusOf(report, 'never')]).toEqual([1, 0, 0])
  })

  it('ends if the filters leave no run', async () => {
    await expect(explore(undefined, { ...CREATE, deviations: ['stale'] })).rejects.toThrow(
      'The filters leave no run: none of these deviations can happen at these places.',
    )
  })

  it('runs only the baseline for a list', async () => {
    const { driver, report, plan } = await explore(undefined, { ...CREATE, listOnly: true })
    expect(driver.ids).toEqual([])
    expect(plan?.runs).toHaveLength(18)
    expect(report).toMatchObject({ runs: [], left_out: { max_runs: 0, budget: 0 } })
  })

  it('runs several clients at the same time, and reports them in the order of the plan', async () => {
    const { driver, report, plan } = await explore(undefined, { jobs: 3 })
    expect(driver.most).toBe(3)
    expect(report.runs.map(({ id }) => id)).toEqual(plan?.runs)
  })

  it.each([
    ['its largest number of runs', { maxRuns: 5 }, { max_runs: 13, budget: 0 }],
    ['its budget', { budget: 6_500 }, { max_runs: 0, budget: 13 }],
  ])('ends at %s', async (_, limit, leftOut) => {
    const { driver, report, plan } = await explore(undefined, { ...CREATE, ...limit })
    expect(driver.ids).toHaveLength(5)
    expect(report.left_out).toMatchObject(leftOut)
    expect(report.left_out.runs.map(({ id }) => id)).toEqual(
      plan?.runs.filter((id) => !driver.ids.includes(id)),
    )
  })

  it('ends with the report so far when it is interrupted', async () => {
    const interrupt = new AbortController()
    const { driver, report } = await explore(undefined, {
      ...CREATE,
      signal: interrupt.signal,
      onRun: (_, { done }) => done === 3 && interrupt.abort(),
    })
    expect(driver.ids).toHaveLength(3)
    expect(report).toMatchObject({ left_out: { max_runs: 0, budget: 0 }, summary: { runs: 3 } })
    expect(report.remarks).toEqual(['The exploration was interrupted before 15 of its runs.'])
  })

  it('ends with the error of a client that cannot run any more', async () => {
    const broken: string[] = []
    const end = { type: 'unusable', message: 'There is no command "nod".' } as const
    const client = ({ id }: { id: string }) => {
      if (id !== 'baseline') broken.push(id)
      return id.endsWith(':429') ? { end } : {}
    }
    await expect(explore(client, { jobs: 2 })).rejects.toThrow('There is no command "nod".')
    expect(broken.length).toBeLessThan(8)
  })

  it('makes a run once more that did not reach its place', async () => {
    const times = new Map<string, number>()
    const client = ({ id }: { id: string }) => {
      times.set(id, (times.get(id) ?? 0) + 1)
      return id.endsWith(':slow') && times.get(id) === 1 ? { applied: [] } : {}
    }
    const { report } = await explore(client, CREATE)
    expect(times.get('tasks.create#1:slow')).toBe(2)
    expect(report.remarks).toEqual([])
  })

  it('says which runs did not reach their place', async () => {
    const { report } = await explore(({ id }) => (id.endsWith(':slow') ? { applied: [] } : {}), CREATE)
    expect(report.remarks).toEqual([
      'These runs did not reach their place, so nothing went wrong in them: tasks.create#1:slow.',
    ])
  })

  it('adds a second deviation, which follows after all others', async () => {
    const client = ({ id }: { id: string }) =>
      id === 'tasks.create#1:503' ? { places: [...PLACES, "tasks.create#1'2"] } : {}
    const { driver, report } = await explore(client, {
      ...CREATE,
      depth: 2,
      deviations: ['503', 'lost', '401'],
    })
    expect(driver.ids).toEqual([
      'tasks.create#1:503',
      'tasks.create#1:401',
      'tasks.create#1:lost',
      "tasks.create#1:503+tasks.create#1'2:503",
      "tasks.create#1:503+tasks.create#1'2:lost",
      "tasks.create#1:503+tasks.create#1'2:401",
    ])
    expect(report.runs.map(({ id }) => id)).toEqual([
      ...driver.ids.filter((id) => /^[^+]*:503/.test(id)),
      'tasks.create#1:lost',
      'tasks.create#1:401',
    ])
    expect(report.runs[1]).toMatchObject({ place: 'tasks.create#1', deviation: '503', class: 'transient' })
    expect(report.runs[3]).toMatchObject({ deviation: '401', class: 'permanent' })
  })
})

describe('the baseline', () => {
  it.each([
    ['fails', FAILURE, 'The client fails even without failures of the service: It failed. Fix'],
    ['hangs', HANG, 'The client fails even without failures of the service: It makes no progress. Fix'],
  ])('ends the exploration if the client %s', async (_, end, message) => {
    const failed = explore(() => ({ end }))
    await expect(failed).rejects.toThrow(message)
    await expect(failed).rejects.toBeInstanceOf(BaselineError)
  })

  it('ends the exploration if the client cannot run', async () => {
    const end = { type: 'unusable', message: 'There is no command "nod".' } as const
    await expect(explore(() => ({ end }))).rejects.toThrow('There is no command "nod".')
  })

  it('ends the exploration if the client sends no request', async () => {
    await expect(explore(() => ({ places: [] }))).rejects.toThrow(
      'The client sends no request to the simulator',
    )
  })

  it('ends the exploration if its runs have no place in common, as one that finds the state of another', async () => {
    let runs = 0
    const first = ['tasks.create#1', 'task#1']
    const explored = explore(() => ({ places: ++runs === 1 ? first : ['tasks.list'] }))
    await expect(explored).rejects.toThrow(
      /no place in common \(tasks\.create#1, task#1, tasks\.list\).*--before/,
    )
  })

  it('matches tasks without their inputs if these differ from run to run', async () => {
    const driver = new FakeDriver(({ id, orders, ignoresInput }) => {
      if (id !== 'baseline' || orders === undefined || ignoresInput) return {}
      return { places: ['tasks.create#2', 'task#2'], orders: [...orders, 'tasks\0acme/image-1\0{"seed":2}'] }
    })
    const options = { command: ['x'], seed: '1', now: () => 0, places: ['file'] }
    const report = await exploreWith(options, driver)
    expect(report.remarks).toEqual([
      'The inputs of the tasks differ from run to run, so tasks are matched by their models and their order.',
    ])
    expect(driver.orders.at(-1)).toMatchObject({ orders: ['tasks\0acme/image-1'], ignoresInput: true })
    expect(report.baseline.places).toBe(PLACES.length)
  })

  it('explores only the places that all its runs reach, and names the others', async () => {
    let runs = 0
    const { report } = await explore(({ id }) => {
      const isSecond = id === 'baseline' && ++runs === 2
      return isSecond ? { places: [...PLACES.slice(0, -1), 'tasks.list#1'] } : {}
    })
    expect(report.baseline.places).toBe(PLACES.length - 1)
    expect(report.remarks).toEqual([
      'Two runs without deviations differ, so some places are not explored: file#1.0, tasks.list#1.',
    ])
  })
})

describe('the patience', () => {
  const patienceOf = ({ driver }: { driver: FakeDriver }, id: string) =>
    driver.orders.find((order) => order.id === id)?.patience

  it('is an hour by default, and longer by what the deviations delay', async () => {
    const explored = await explore()
    expect(patienceOf(explored, 'tasks.create#1:lost')).toBe(3_600_000)
    expect(patienceOf(explored, 'tasks.create#1:slow')).toBe(3_630_000)
    expect(patienceOf(explored, 'service@tasks.create#1:outage_5m')).toBe(3_900_000)
  })

  it.each([
    ['half as long again as the client waits', 400_000, undefined, 600_000],
    ['three minutes if the client gives up at once', 0, undefined, 180_000],
    ['three minutes if the client waits for ever', 400_000, HANG, 180_000],
  ])('if it is measured, is %s', async (_, last, end, patience) => {
    const client = ({ id }: { id: string }): FakeRun =>
      id === 'task#1:stuck' || id.endsWith('#1:outage') ? { last, end: end ?? FAILURE } : {}
    const explored = await explore(client, { measurePatience: true })
    expect(explored.driver.ids.slice(0, 2)).toEqual(['task#1:stuck', 'service@tasks.create#1:outage'])
    expect(patienceOf(explored, 'task#1:stuck')).toBe(900_000)
    expect(patienceOf(explored, 'tasks.create#1:lost')).toBe(patience)
    expect(explored.report.runs.map(({ id }) => id)).toEqual(explored.plan?.runs)
  })

  it('lets a client wait as long as without deviations', async () => {
    const explored = await explore(() => ({ last: 1_000_000 }), { measurePatience: true })
    expect(patienceOf(explored, 'task#1:stuck')).toBe(1_500_000)
    expect(patienceOf(explored, 'tasks.create#1:lost')).toBe(1_500_000)
  })

  it('is that of the measuring runs for a few runs', async () => {
    const filters = { ...CREATE, deviations: ['503', 'lost'], measurePatience: true }
    const explored = await explore(undefined, filters)
    expect(explored.driver.ids).toEqual(['tasks.create#1:503', 'tasks.create#1:lost'])
    expect(patienceOf(explored, 'tasks.create#1:lost')).toBe(900_000)
  })

  it('is measured outside of the plan if a filter leaves out those runs', async () => {
    const { driver, report, plan } = await explore(undefined, { ...CREATE, measurePatience: true })
    expect(driver.ids.slice(0, 2)).toEqual(['task#1:stuck', 'service@tasks.create#1:outage'])
    expect(driver.ids.slice(2).sort()).toEqual([...(plan?.runs ?? [])].sort())
    expect(report.runs.map(({ id }) => id)).toEqual(plan?.runs)
  })

  it('is not measured if it is given', async () => {
    const explored = await explore(undefined, { ...CREATE, measurePatience: true, patience: 5_000 })
    expect(explored.driver.ids[0]).toBe('tasks.create#1:429')
    expect(patienceOf(explored, 'tasks.create#1:lost')).toBe(5_000)
  })
})

const gaveUp = failingIn(/:(503|429)$/)

describe('a problem', () => {
  const EXPECTED = {
    place: 'tasks.create#*',
    deviation: '503',
    expect: 'gave_up',
    because: 'a person repeats it',
  } as const

  it('is none if the scenario expects the result', async () => {
    const { report } = await explore(gaveUp, { ...CREATE, expectations: [EXPECTED] })
    expect(report.runs.find(({ deviation }) => deviation === '503')).toMatchObject({
      result: 'gave_up',
      ok: true,
      severity: 'ok',
      because: 'a person repeats it',
    })
    expect(report.problems.flatMap(({ runs }) => runs)).toEqual(['tasks.create#1:429'])
  })

  it('stays one if the scenario expects another result', async () => {
    const { report } = await explore(gaveUp, {
      ...CREATE,
      expectations: [{ ...EXPECTED, expect: 'reported' }],
    })
    expect(report.summary.warnings).toBe(2)
  })

  it('does not fail a build if it is accepted', async () => {
    const accepted = [
      { run: 'tasks.create#1:503', result: 'gave_up', because: 'ticket 12' },
      { run: 'tasks.create#1:429', result: 'gave_up' },
    ] as const
    const { report } = await explore(gaveUp, { ...CREATE, accepted })
    expect(report.runs.filter(({ ok }) => !ok).map(({ because }) => because)).toEqual([
      'the list of accepted problems has it',
      'ticket 12',
    ])
    expect(report.problems).toEqual([])
    expect(report.accepted.map(({ gone }) => gone)).toEqual([false, false])
    expect(statusOf(report)).toBe(0)
  })

  it('fails a build if it has become another one than was accepted', async () => {
    const accepted = [{ run: 'tasks.create#1:503', result: 'hung' }] as const
    const { report } = await explore(gaveUp, { ...CREATE, accepted })
    expect(report.accepted).toEqual([{ ...accepted[0], gone: true }])
    expect(statusOf(report)).toBe(1)
  })

  it('has gone if the client recovers, or there is no such run any more', async () => {
    const accepted = [
      { run: 'tasks.create#1:lost', result: 'paid_twice' },
      { run: 'tasks.create#9:lost', result: 'paid_twice' },
      { run: 'file#1.0:cut', result: 'lost_result' },
    ] as const
    const { report } = await explore(undefined, { ...CREATE, accepted })
    // The filter leaves out the run with the file, so nobody knows.
    expect(report.accepted).toEqual([
      { run: 'tasks.create#1:lost', result: 'paid_twice', gone: true },
      { run: 'tasks.create#9:lost', result: 'paid_twice', gone: true },
    ])
  })
})

describe('a mistake that is an error without any failure', () => {
  const finding = (id: FindingId, severity: Severity): Finding => {
    const seen = `The client sent it to ${id}.`
    const texts = { title: `A title of ${id}`, why: 'It costs.', remedy: 'Stop it.' }
    return { id, severity, ...texts, count: 1, lastAt: 0, evidence: [{ seen, at: 0 }] }
  }
  const careless = () => ({
    findings: [
      finding('pays-twice', 'error'),
      finding('polls-too-fast', 'warning'),
      finding('polls-without-end', 'error'),
    ],
  })

  it('is a problem of its own, the first one', async () => {
    const { report } = await explore((order) => ({ ...careless(), ...gaveUp(order) }), CREATE)
    expect(report.problems.map(({ operation, findings, runs }) => [operation, findings, runs])).toEqual([
      ['baseline', ['pays-twice'], ['baseline']],
      ['baseline', ['polls-without-end'], ['baseline']],
      ['tasks.create', [], ['tasks.create#1:429', 'tasks.create#1:503']],
    ])
    expect(report.problems[0]).toMatchObject({
      what: 'Without any failure: A title of pays-twice. The client sent it to pays-twice.',
      repeat: 'tasksim explore --only "baseline" -- node client.js',
    })
    expect(report.runs[0]).toMatchObject({ id: 'baseline', result: 'finding', ok: false })
    expect(report.summary).toEqual({ runs: 19, ok: 16, errors: 1, warnings: 2 })
    expect([statusOf(report, 'error'), statusOf(report, 'never')]).toEqual([1, 0])
  })

  it('can be repeated alone, and is none of a repetition of another run', async () => {
    const alone = await explore(careless, { only: ['baseline'] })
    expect(alone.driver.ids).toEqual([])
    expect(statusOf(alone.report)).toBe(1)
    const other = await explore(careless, { only: ['tasks.create#1:503'] })
    expect(statusOf(other.report)).toBe(0)
  })

  it('can be accepted, and is not part of a list', async () => {
    const accepted = [{ run: 'baseline', result: 'finding' }] as const
    const { report } = await explore(careless, { ...CREATE, accepted })
    expect(report.problems).toEqual([])
    expect(report.accepted).toEqual([{ ...accepted[0], gone: false }])
    expect(statusOf(report)).toBe(0)
    const list = await explore(careless, { ...CREATE, listOnly: true })
    expect(statusOf(list.report)).toBe(0)
  })
})

describe('an expectation', () => {
  const expectation = {
    place: 'tasks.create#1',
    deviation: 'losst',
    expect: 'reported',
    because: 'x',
  } as const

  it('is rejected if it names an unknown deviation', async () => {
    await expect(explore(undefined, { expectations: [expectation] })).rejects.toThrow(
      'The scenario expects a result of tasks.create#1 with the deviation "losst", which does not exist: did you mean `lost`?',
    )
  })

  it('is mentioned if it is about no run', async () => {
    const unused = { ...expectation, place: 'tasks.create#7', deviation: 'lost' }
    const { report } = await explore(undefined, { expectations: [unused] })
    expect(report.remarks).toEqual([
      'The scenario has an expectation of tasks.create#7:lost, but there is no such run.',
    ])
  })
})
