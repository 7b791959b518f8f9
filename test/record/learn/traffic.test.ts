import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../../src/index.js'
import { limitSampleOf } from '../../../src/record/learn/traffic/requests.js'
import { deepTest, runs, sampleOf } from '../../support/deep.js'
import { playTraffic } from './played-traffic.js'

const NO_LIMIT_HEADERS = /ratelimit/

const FIXED = [
  { requests: 20, per: '1m', every: 500 },
  { requests: 5, per: '10s', every: 700 },
  { requests: 100, per: '1h', every: 5_000 },
] as const

it.each(sampleOf(1, FIXED))(
  'a rate limit is read from the headers of answers: %j',
  async ({ every, ...limit }) => {
    for (const rate_limit_headers of sampleOf(1, ['x-ratelimit', 'ratelimit'] as const)) {
      const scenario = { rate_limits: [limit], api: { rate_limit_headers } } as const
      const learned = await playTraffic({ scenario, every, requests: runs(200, 400) })
      const per = { '1m': 60_000, '10s': 10_000, '1h': 3_600_000 }[limit.per]
      expect(learned?.limits).toEqual([
        expect.objectContaining({ requests: limit.requests, per, operations: undefined, isShown: true }),
      ])
      expect(learned?.limits[0]?.burst).toBeUndefined()
      expect(learned?.limits[0]?.rejected).toBeGreaterThan(0)
    }
  },
)

deepTest.each(FIXED)(
  'a rate limit is found by counting, if no header shows it: %j',
  async ({ every, ...limit }) => {
    const scenario = { rate_limits: [{ ...limit, operation: 'tasks.create' }] } as const
    const learned = await playTraffic({
      scenario,
      every,
      requests: 2_400,
      removed: NO_LIMIT_HEADERS,
    })
    const per = { '1m': 60_000, '10s': 10_000, '1h': 3_600_000 }[limit.per]
    expect(learned?.limits).toMatchObject([
      { requests: limit.requests, per, operations: ['tasks.create'], isShown: false },
    ])
  },
)

deepTest(
  'a token bucket is told from a window, whatever its size and rate, unless its times are too short',
  async () => {
    const sizes = fc.record({ burst: fc.integer({ min: 4, max: 40 }), each: fc.integer({ min: 1, max: 6 }) })
    await fc.assert(
      fc.asyncProperty(sizes, async ({ burst, each }) => {
        const scenario = { rate_limits: [{ requests: 1, per: `${each}s`, burst }] } as ScenarioInput
        const learned = await playTraffic({ scenario, every: each * 400, requests: 300 })
        const [limit] = learned?.limits ?? []
        // Headers have whole seconds, which say little about a bucket that is full again after a few seconds.
        if (limit === undefined && burst * each < 12) {
          expect(learned?.gaps).toEqual([
            `rate limit: the headers show ${burst} requests, but not in which period`,
          ])
          return
        }
        expect(limit?.burst).toBe(burst)
        expect((limit?.per ?? 0) / (limit?.requests ?? 1)).toBeCloseTo(1_000 * each, -3 + 1)
      }),
      { numRuns: runs(1, 12) },
    )
  },
)

deepTest('rejections by a full queue are not a rate limit', async () => {
  const scenario = {
    capacity: { running: 2, queued: 3, overflow: { status: 429 } },
    defaults: { delay: { median: '20s', p95: '60s' } },
  } as const
  const learned = await playTraffic({ scenario, every: 2_000, removed: NO_LIMIT_HEADERS })
  expect(learned?.limits).toEqual([])
  expect(learned?.gaps).toEqual([
    expect.stringMatching(/^rate limit: \d+ requests were rejected with 429, but no/),
  ])
})

it('without a rejection, no rate limit is known', async () => {
  const learned = await playTraffic({ scenario: {}, every: 1_000, requests: 40 })
  expect(learned).toMatchObject({ limits: [], faults: [] })
  expect(learned?.gaps).toEqual(['rate limit: none of 40 requests was rejected with 429'])
})

deepTest('the share of temporary errors of each operation lies in its interval', async () => {
  const scenario = {
    faults: [
      { when: { operation: 'tasks.create', rate: 0.1 }, then: { status: 503, retry_after: '5s' } },
      { when: { operation: 'tasks.create', rate: 0.05 }, then: { status: 500 } },
    ],
  } as const
  const learned = await playTraffic({ scenario, every: 1_000, requests: 1_500 })
  const faults = learned?.faults.map(({ operation, status, retryAfter }) => ({
    operation,
    status,
    retryAfter,
  }))
  expect(faults).toEqual(
    expect.arrayContaining([
      { operation: 'tasks.create', status: 503, retryAfter: 5_000 },
      { operation: 'tasks.create', status: 500, retryAfter: undefined },
    ]),
  )
  expect(faults).toHaveLength(2)
  for (const { status, interval } of learned?.faults ?? []) {
    const rate = status === 503 ? 0.1 : 0.045
    expect(interval[0]).toBeLessThan(rate)
    expect(interval[1]).toBeGreaterThan(rate)
  }
})

it('the waits before retries of webhooks, and their delay, are learned from the attempts', async () => {
  const scenario = {
    defaults: { delay: '10s' },
    webhooks: { retries: ['2s', '30s', '5m'], faults: [{ then: { delay: { min: '3s', max: '5s' } } }] },
  } as const
  const learned = await playTraffic({ scenario, every: 20_000, requests: 200 })
  const { retries = [], delay } = learned?.webhooks ?? {}
  expect(retries.map(({ wait }) => wait)).toEqual([2_000, 30_000, 300_000])
  expect(delay?.p50.value).toBeGreaterThan(3_000)
  expect(delay?.p50.value).toBeLessThan(5_000)
})

it.each([
  [
    {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1m0.5s',
    },
    [60, 59, 60_500, undefined],
  ],
  [
    { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': '1700000030' },
    [10, 2, 30_000, undefined],
  ],
  [{ 'ratelimit-policy': '"burst";q=100;w=60', ratelimit: '"burst";r=7;t=12' }, [100, 7, 12_000, 60_000]],
  [
    { 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '3', 'ratelimit-reset': '9' },
    [100, 3, 9_000, 60_000],
  ],
  [{ ratelimit: 'limit=50, remaining=49, reset=30' }, [50, 49, 30_000, undefined]],
])('the headers %j show the state of a limit', (headers, expected) => {
  const { limit, remaining, reset, per } = limitSampleOf(headers, undefined, 1_700_000_000_000) ?? {}
  expect([limit, remaining, reset, per]).toEqual(expected)
})
