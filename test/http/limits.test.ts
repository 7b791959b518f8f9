import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { statuses } from './create-directly.js'
import { type Client, describeHosts, IMAGE, type Open } from './hosts.js'

const LIST = '/api/v1/tasks'
const START = Date.parse('2026-01-01T00:00:00Z') / 1_000

type Limit = NonNullable<ScenarioInput['rate_limits']>[number]

async function limited(open: Open, limits: Limit | Limit[], api: ScenarioInput['api'] = {}): Promise<Client> {
  return open({ scenario: { rate_limits: [limits].flat(), api } })
}

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

/** Returns the rate limit headers of an answer, by name. */
function limitHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => /ratelimit|retry-after/.test(name)))
}

describeHosts('a rate limit', (open) => {
  it('admits a number of requests in each window, and reports the rest and the end of the window', async () => {
    const { sim, get } = await limited(open, { name: 'basic', requests: 2, per: '10s' })
    await sim.clock.advance('3500ms')
    const state = (remaining: string) => ({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': String(START + 10),
    })
    expect(limitHeaders((await get(LIST)).headers)).toEqual(state('1'))
    expect(limitHeaders((await get(LIST)).headers)).toEqual(state('0'))
    const refused = await get(LIST)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(refused.body.error.message).toMatch(/`basic` of 2 requests in 10 s .* 7 s/)
    expect(limitHeaders(refused.headers)).toEqual({ ...state('0'), 'retry-after': '7' })
    await sim.clock.advance('6499ms')
    expect((await get(LIST)).headers.get('retry-after')).toBe('1')
    await sim.clock.advance('1ms')
    expect(limitHeaders((await get(LIST)).headers)).toEqual({
      ...state('1'),
      'x-ratelimit-reset': String(START + 20),
    })
  })

  it('with a burst is a bucket that refills at the rate of the limit', async () => {
    const { sim, get } = await limited(open, { requests: 1, per: '2s', burst: 3 })
    expect(await statuses(4, () => get(LIST))).toEqual([200, 200, 200, 429])
    expect(limitHeaders((await get(LIST)).headers)).toEqual({
      'retry-after': '2',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(START + 6),
    })
    await sim.clock.advance('1999ms')
    expect((await get(LIST)).status).toBe(429)
    await sim.clock.advance('1ms')
    expect(await statuses(2, () => get(LIST))).toEqual([200, 429])
    await sim.clock.advance('1h')
    expect(await statuses(4, () => get(LIST))).toEqual([200, 200, 200, 429])
  })

  it('sends the IETF fields if the scenario requests them', async () => {
    const { sim, get } = await limited(
      open,
      { name: 'basic "free"', requests: 2, per: '10s' },
      { rate_limit_headers: 'ratelimit' },
    )
    await sim.clock.advance('3500ms')
    const policy = String.raw`"basic \"free\"";q=2;w=10`
    expect(limitHeaders((await get(LIST)).headers)).toEqual({
      ratelimit: String.raw`"basic \"free\"";r=1;t=7`,
      'ratelimit-policy': policy,
    })
    await get(LIST)
    expect(limitHeaders((await get(LIST)).headers)).toEqual({
      ratelimit: String.raw`"basic \"free\"";r=0;t=7`,
      'ratelimit-policy': policy,
      'retry-after': '7',
    })
  })

  it('sends only Retry-After if the scenario turns the headers off', async () => {
    const { get } = await limited(open, { requests: 1, per: '10s' }, { rate_limit_headers: 'none' })
    expect(limitHeaders((await get(LIST)).headers)).toEqual({})
    expect(limitHeaders((await get(LIST)).headers)).toEqual({ 'retry-after': '10' })
  })

  it('may have a name in any script', async () => {
    const api = { rate_limit_headers: 'ratelimit' } as const
    const { get } = await limited(open, { name: '基本', requests: 1, per: '1s' }, api)
    expect(await statuses(2, () => get(LIST))).toEqual([200, 429])
  })

  it('is reported with every answer to a counted request, even if the request fails', async () => {
    const { get, send } = await limited(open, { requests: 9, per: '10s' })
    const left = async (answer: Promise<{ headers: Headers }>) =>
      (await answer).headers.get('x-ratelimit-remaining')
    expect(await left(get(`${LIST}/task_none`))).toBe('8')
    expect(await left(get(`${LIST}?limit=0`))).toBe('7')
    expect(await left(send(LIST, { headers: { ...as('sk_live_local').headers, 'x-sim': 'nonsense' } }))).toBe(
      '6',
    )
  })

  it('applies to each API key separately, and to the keys that it names', async () => {
    const { send } = await limited(open, { key: 'sk_free_*', requests: 1, per: '1m' })
    const keys = ['sk_free_1', 'sk_free_1', 'sk_free_2', 'sk_paid', 'sk_paid', 'sk_free_2']
    expect(await statuses(6, (time) => send(LIST, as(keys[time - 1] ?? '')))).toEqual([
      200, 429, 200, 200, 200, 429,
    ])
  })

  it.each<[string, Record<string, string>, number]>([
    ['of another site that shows an image', { 'sec-fetch-site': 'cross-site' }, 200],
    ['that says what every client may say', { 'sec-fetch-site': 'none' }, 429],
    ['that reads the answer', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:5173' }, 429],
  ])(
    'counts requests of a page only if it could read the answer: a page %s',
    async (_, headers, expected) => {
      const { send } = await limited(open, { requests: 1, per: '1m' })
      const request = { headers: { ...as('sk_live_local').headers, ...headers } }
      expect(await statuses(3, () => send(LIST, request))).toEqual([200, expected, expected])
    },
  )

  it('applies to the operations that it names', async () => {
    const client = await limited(open, { operation: 'tasks.create', requests: 1, per: '1m' })
    const { get, post } = client
    expect(await statuses(2, () => post(LIST, IMAGE))).toEqual([200, 429])
    const listed = await get(LIST)
    expect(listed.body.data).toHaveLength(1)
    expect(limitHeaders(listed.headers)).toEqual({})
  })

  it('that rejects a request uses no quota of another, and admits it after Retry-After', async () => {
    const { sim, get } = await limited(open, [
      { name: 'a second', requests: 1, per: '1s' },
      { name: 'a minute', requests: 2, per: '1m' },
    ])
    expect(await statuses(3, () => get(LIST))).toEqual([200, 429, 429])
    await sim.clock.advance('1s')
    expect((await get(LIST)).headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await get(LIST)
    expect(refused.status).toBe(429)
    await sim.clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await get(LIST)).status).toBe(200)
  })

  it('applies before faults, which do not see rejected requests', async () => {
    const { sim, get } = await open({
      scenario: { rate_limits: [{ requests: 2, per: '1s' }], faults: [{ then: ['pass', 'pass', 503] }] },
    })
    expect(await statuses(3, () => get(LIST))).toEqual([200, 200, 429])
    await sim.clock.advance('1s')
    const faulty = await get(LIST)
    expect(faulty.status).toBe(503)
    expect(faulty.headers.get('x-ratelimit-remaining')).toBe('1')
  })

  it('counts no request of the control API, and restarts with a reset', async () => {
    const { sim, send, get } = await limited(open, { requests: 1, per: '1d' })
    expect(await statuses(3, () => send('/_sim/clock'))).toEqual([200, 200, 200])
    expect(await statuses(2, () => get(LIST))).toEqual([200, 429])
    await sim.reset()
    expect(await statuses(2, () => get(LIST))).toEqual([200, 429])
  })
})
