import { expect, it } from 'vitest'
import { deepTest } from '../support/deep.js'
import { describeClients, QUICK } from './describe-clients.js'

interface Family {
  type: string
  readonly samples: Map<string, number>
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/

/** Parses the Prometheus text format strictly. Throws on any deviation. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  for (const line of text.slice(0, -1).split('\n')) {
    const [, about, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (about === 'HELP') families.set(name, { type: 'untyped', samples: new Map() })
    else if (about === 'TYPE') familyOf(families, name).type = rest
    else put(families, line)
  }
  return families
}

function put(families: Map<string, Family>, line: string): void {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
  if (name === '' || Number.isNaN(Number(value))) throw new Error(`No sample: ${line}`)
  const { samples } = familyOf(families, name.replace(/_(?:bucket|sum|count)$/, ''))
  const id = labels === '' ? name : `${name}{${labels}}`
  if (samples.has(id)) throw new Error(`Twice: ${id}`)
  samples.set(id, Number(value))
}

function familyOf(families: Map<string, Family>, name: string): Family {
  const family = families.get(name)
  if (family === undefined) throw new Error(`Nothing was said of ${name} before`)
  return family
}

describeClients('metrics', (open, way) => {
  it('are valid Prometheus text, and count exactly', async () => {
    const rule = 'a "rule" with \\ and\na line'
    const { control, order, get } = await open({
      scenario: {
        ...QUICK,
        faults: [{ name: rule, when: { operation: 'tasks.list' }, then: { status: 503 } }],
      },
      receivers: [() => new Response()],
    })
    const id = await order()
    await order({ model: 'm', input: {} })
    await control.clock.advance('1s')
    const { cost_usd: cost } = await get(`/api/v1/tasks/${id}`)
    await get('/api/v1/tasks')
    await get('/nowhere/at/all').catch(() => {})
    await control.sandboxes.create()
    const families = parse(await control.metrics())
    const value = (name: string) =>
      [...families.values()].map(({ samples }) => samples.get(name)).find(Number.isFinite)
    expect(value('tasksim_tasks{status="succeeded"}')).toBe(2)
    expect(value('tasksim_tasks{status="processing"}')).toBe(0)
    expect(value('tasksim_requests_total{operation="tasks.create",status="200"}')).toBe(2)
    expect(value('tasksim_requests_total{operation="tasks.list",status="503"}')).toBe(1)
    expect(value('tasksim_faults_total{rule="a \\"rule\\" with \\\\ and\\na line"}')).toBe(1)
    expect(value('tasksim_deliveries{state="delivered"}')).toBe(2)
    expect(value('tasksim_delivery_attempts_total')).toBe(2)
    expect(value('tasksim_spent_usd_total')).toBeGreaterThanOrEqual(cost)
    expect(value('tasksim_sandboxes')).toBe(1)
    expect(families.get('tasksim_request_duration_seconds')?.type).toBe('histogram')
  })

  it('count a create request whose answer was lost apart from those that were answered', async () => {
    const { control, order } = await open({ scenario: 'lost-create-response' })
    await order().catch(() => {})
    await order()
    const { samples } = familyOf(parse(await control.metrics()), 'tasksim_requests_total')
    expect([...samples]).toEqual([
      ['tasksim_requests_total{operation="tasks.create",status="200"}', 1],
      ['tasksim_requests_total{operation="tasks.create",status="200",delivered="false"}', 1],
    ])
  })

  it('have a histogram whose buckets rise to its count', async () => {
    const { control, order } = await open()
    for (let number = 0; number < 3; number++) await order({ model: 'm', input: { number } })
    const { samples } = familyOf(parse(await control.metrics()), 'tasksim_request_duration_seconds')
    const buckets = [...samples].filter(([name]) => name.includes('_bucket')).map(([, count]) => count)
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b))
    expect([buckets.at(-1), samples.get('tasksim_request_duration_seconds_count')]).toEqual([3, 3])
    expect(samples.get('tasksim_request_duration_seconds_sum')).toBeGreaterThan(0)
  })

  const once = way === 'in process' ? it : deepTest

  once('keep their counts after the journal evicts entries', async () => {
    const { control, sim } = await open()
    const origin = 'http://localhost'
    for (let number = 0; number < 10_050; number++)
      await sim.tasks.create({ owner: 'k', model: 'm', input: { number }, webhookUrl: undefined, origin })
    expect((await control.state()).tasks).toMatchObject({ processing: 10_050 })
    expect([...sim.journal.entries()]).toHaveLength(10_000)
    expect(
      familyOf(parse(await control.metrics()), 'tasksim_tasks').samples.get(
        'tasksim_tasks{status="processing"}',
      ),
    ).toBe(10_050)
  })
})
