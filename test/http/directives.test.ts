import { expect, it } from 'vitest'
import type { JsonObject, ScenarioInput } from '../../src/index.js'
import { statuses, taskPath } from './create-directly.js'
import { type Answer, type Client, describeHosts, read } from './hosts.js'

const LIST = '/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const DULL: ScenarioInput = { defaults: { delay: '2s', price: { per_task: 0.5 } } }

/** The two places for a directive: a header, or a text in the input. */
const PLACES = ['X-Sim', 'input.prompt'] as const
type Place = (typeof PLACES)[number]

/** Creates a task with a directive. */
async function createWith({ send }: Client, place: Place, directive: string): Promise<Answer> {
  const isHeader = place === 'X-Sim'
  const prompt = isHeader ? 'waves' : `waves [[sim ${directive}]] and wind`
  const headers = { ...HEADERS, ...(isHeader && { 'x-sim': directive }) }
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt } })
  return read(await send(LIST, { method: 'POST', headers, body }))
}

const create = async ({ post }: Client, input: JsonObject) => post(LIST, { model: 'acme/image-1', input })

/** Sends a request with an X-Sim header. */
async function sendWith({ send }: Client, directive: string, path: string, method = 'GET'): Promise<Answer> {
  return read(await send(path, { method, headers: { ...HEADERS, 'x-sim': directive } }))
}

describeHosts('a directive', (open) => {
  const forPlaces = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
    rows.flatMap((row) => PLACES.map((place) => [place, ...row] as const))

  it.each(
    forPlaces<[string, string, object]>([
      ['outcome=failed', '2s', { status: 'failed', cost_usd: 0, error: { code: 'generation_failed' } }],
      ['outcome=succeeded', '2s', { status: 'succeeded', cost_usd: 0.5 }],
      ['outcome=canceled', '2s', { status: 'canceled' }],
      ['outcome=stuck', '30d', { status: 'processing' }],
      ['error=nsfw', '2s', { status: 'failed', error: { code: 'nsfw', message: expect.any(String) } }],
      ['message="No \\"way\\"."', '2s', { status: 'failed', error: { message: 'No "way".' } }],
      ['outcome=failed error=nsfw message=No', '2s', { error: { code: 'nsfw', message: 'No' } }],
      ['after=250ms', '250ms', { status: 'succeeded', completed_at: '2026-01-01T00:00:00.250Z' }],
      ['after=1h', '3599s', { status: 'processing' }],
      ['cost=0.125', '2s', { status: 'succeeded', cost_usd: 0.125 }],
      ['cost=0', '2s', { status: 'succeeded', cost_usd: 0 }],
      ['  after=1s\tcost=3   outcome=succeeded ', '1s', { status: 'succeeded', cost_usd: 3 }],
    ]),
  )('in %s sets the outcome of the task: %s', async (place, directive, later, expected) => {
    const client = await open({ scenario: DULL })
    const { body: task } = await createWith(client, place, directive)
    expect(task.status).toBe('processing')
    await client.sim.clock.advance(later as '1s')
    expect((await client.get(`${LIST}/${task.id}`)).body).toMatchObject(expected)
  })

  it.each(PLACES)('in %s is named as the cause of the status that it requests', async (place) => {
    const client = await open({ scenario: DULL })
    const { body } = await createWith(client, place, 'fault=503,pass')
    expect(body.error.message).toBe('The service answers 503 because the directive in the request says so.')
  })

  it.each(PLACES)('in %s makes a task end at a poll', async (place) => {
    const client = await open({ scenario: DULL })
    const { body: task } = await createWith(client, place, 'polls=3')
    await client.sim.clock.advance('1h')
    const polled: string[] = []
    for (let poll = 1; poll <= 3; poll++) polled.push((await client.get(`${LIST}/${task.id}`)).body.status)
    expect(polled).toEqual(['processing', 'processing', 'succeeded'])
  })

  it.each(PLACES)(
    'in %s overrides the rules of the scenario, only in the properties that it sets',
    async (place) => {
      const rules: ScenarioInput['rules'] = [
        { then: { outcome: 'failed', delay: '9s', price: { per_task: 7 } } },
      ]
      const client = await open({ scenario: { rules } })
      const { body: task } = await createWith(client, place, 'outcome=succeeded')
      await client.sim.clock.advance('8999ms')
      expect((await client.get(`${LIST}/${task.id}`)).body.status).toBe('processing')
      await client.sim.clock.advance('1ms')
      expect((await client.get(`${LIST}/${task.id}`)).body).toMatchObject({
        status: 'succeeded',
        cost_usd: 7,
      })
    },
  )

  it('is found in any text of the input, at any depth, and echoed unchanged', async () => {
    const client = await open({ scenario: DULL })
    const messages = [
      { role: 'system', content: 'You are terse.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello [[sim error=nsfw after=1s]]!' }] },
    ]
    const { body: task } = await create(client, { messages })
    expect(task.input).toEqual({ messages })
    await client.sim.clock.advance('1s')
    expect((await client.get(`${LIST}/${task.id}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 'nsfw' },
      input: { messages },
    })
  })

  it('in the header overrides one in the input, which is not even parsed', async () => {
    const client = await open({ scenario: DULL })
    const body = JSON.stringify({ model: 'm', input: { prompt: '[[sim outcome=failed nonsense]]' } })
    const headers = { ...HEADERS, 'x-sim': 'after=1s' }
    const { body: task } = await read(await client.send(LIST, { method: 'POST', headers, body }))
    await client.sim.clock.advance('1s')
    expect((await client.get(`${LIST}/${task.id}`)).body.status).toBe('succeeded')
  })

  it('is the first of several in the input', async () => {
    const client = await open({ scenario: DULL })
    const input = { a: 'x [[sim after=1s]] [[sim after=5s]]', b: '[[sim outcome=failed]]' }
    const { body: task } = await create(client, input)
    await client.sim.clock.advance('1s')
    expect((await client.get(`${LIST}/${task.id}`)).body.status).toBe('succeeded')
  })

  it.each([
    '[[simple outcome=failed]]',
    'sim outcome=failed',
    '[sim outcome=failed]',
    '[[SIM outcome=failed]]',
  ])('is not mistaken for similar text: %s', async (prompt) => {
    const client = await open({ scenario: DULL })
    const { status, body: task } = await create(client, { prompt })
    await client.sim.clock.advance('2s')
    expect([status, (await client.get(`${LIST}/${task.id}`)).body.status]).toEqual([200, 'succeeded'])
  })

  it('is found after similar text', async () => {
    const client = await open({ scenario: DULL })
    const { body: task } = await create(client, { prompt: '[[simple]] words [[sim outcome=failed]]' })
    await client.sim.clock.advance('2s')
    expect((await client.get(`${LIST}/${task.id}`)).body.status).toBe('failed')
  })

  it.each(PLACES)('in %s makes the request itself fail, one step for each attempt', async (place) => {
    const client = await open({ scenario: DULL })
    expect(await statuses(4, () => createWith(client, place, 'fault=503,429,pass'))).toEqual([
      503, 429, 200, 200,
    ])
    expect((await client.get(LIST)).body.data).toHaveLength(2)
    expect(await statuses(3, () => createWith(client, place, 'fault=500 cost=1'))).toEqual([500, 500, 500])
  })

  it.each(
    forPlaces([
      ['fault=429*1 retry_after=5s', [429, 200, 200]],
      ['fault=503,429*2 retry_after=5s', [503, 429, 429, 200]],
      ['fault=pass,429 retry_after=5s', [200, 429, 200]],
    ]),
  )('in %s rejects a number of attempts, and says when to retry: %s', async (place, directive, expected) => {
    const client = await open({ scenario: DULL })
    const answers: Answer[] = []
    for (const _ of expected) answers.push(await createWith(client, place, directive))
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      expected.map((status) => [status, status === 200 ? null : '5']),
    )
  })

  it('on a poll counts the polls that carry it, whatever faults the scenario has', async () => {
    const faults: ScenarioInput['faults'] = [{ when: { operation: 'tasks.list' }, then: 500 }]
    const client = await open({ scenario: { ...DULL, faults } })
    const path = await taskPath(client)
    expect(await statuses(2, () => client.get(path))).toEqual([200, 200])
    expect(await statuses(4, () => sendWith(client, 'fault=503,429,pass', path))).toEqual([
      503, 429, 200, 200,
    ])
  })

  it('applies to file downloads and cancel requests', async () => {
    const client = await open({ scenario: { extends: 'instant' } })
    const path = await taskPath(client)
    const { output } = (await client.get(path)).body
    const file = output.images[0].replace(client.origin, '')
    const download = (directive: string) => client.send(file, { headers: { 'x-sim': directive } })
    expect((await download('fault=410')).status).toBe(410)
    expect((await download('fault=pass')).status).toBe(200)
    expect((await sendWith(client, 'fault=504', `${path}/cancel`, 'POST')).status).toBe(504)
  })

  it('overrides the faults of the scenario', async () => {
    const client = await open({ scenario: { ...DULL, faults: [{ then: 503 }] } })
    const faults: unknown[] = []
    client.sim.on('request.answered', ({ fault }) => faults.push(fault))
    expect((await client.get(LIST)).status).toBe(503)
    expect((await sendWith(client, 'fault=pass', LIST)).status).toBe(200)
    expect((await sendWith(client, 'fault=418', LIST)).status).toBe(418)
    expect(faults).toEqual(['faults[0]', undefined, 'directive'])
  })

  it('for a stale answer returns the task in its last reported state', async () => {
    const client = await open({ scenario: DULL })
    const path = await taskPath(client)
    const { body: before } = await client.get(path)
    await client.sim.clock.advance('1h')
    expect((await sendWith(client, 'fault=stale', path)).body).toEqual(before)
    expect((await client.get(path)).body.status).toBe('succeeded')
  })

  it('for a stale answer forgets the answers of the previous scenario', async () => {
    const client = await open({ scenario: DULL })
    const path = await taskPath(client)
    await client.get(path)
    await client.sim.clock.advance('1h')
    client.sim.useScenario(client.sim.scenario)
    expect((await sendWith(client, 'fault=stale', path)).body.status).toBe('succeeded')
  })

  it.each(['outcome=failed', 'error=x', 'after=1s', 'polls=2', 'cost=1', 'webhook=lost'])(
    'about a task is invalid on a request that creates none: %s',
    async (directive) => {
      const client = await open({ scenario: DULL })
      const path = await taskPath(client)
      for (const [target, method] of [
        [path, 'GET'],
        [LIST, 'GET'],
        [`${path}/cancel`, 'POST'],
      ] as const) {
        const { status, body } = await sendWith(client, directive, target, method)
        expect({ status, ...body.error }).toMatchObject({
          status: 400,
          code: 'invalid_request',
          param: 'X-Sim',
        })
        expect(body.error.message).toContain('only `fault`')
      }
      expect((await client.get(path)).body.status).toBe('processing')
    },
  )
})
