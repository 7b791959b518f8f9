import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RateLimit, RateLimiter } from '../../../src/engine/requests/key-limits.js'
import { runs } from '../../support/deep.js'

const START = Date.UTC(2026, 0, 1)

/** The arrival times of requests, with gaps of a few milliseconds or of up to 5 s. */
const instants = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.nat(5_000) }), {
    maxLength: 80,
  })
  .map((gaps) => {
    let now = START
    return gaps.map((gap) => (now += gap))
  })

const window = fc.record({
  requests: fc.integer({ min: 1, max: 6 }),
  per: fc.integer({ min: 1, max: 3_000 }),
})
const bucket = fc.record({
  requests: fc.integer({ min: 1, max: 12 }),
  per: fc.constantFrom(7, 100, 1_000, 60_000),
  burst: fc.integer({ min: 1, max: 8 }),
})
const limit: fc.Arbitrary<RateLimit> = fc.oneof(window, bucket)

const take = (limiter: RateLimiter, now: number, key = 'sk') => limiter.take('tasks.list', key, now)
const isAdmitted = (limiter: RateLimiter, now: number, key = 'sk') =>
  take(limiter, now, key)?.retryAt === undefined

/** Creates a limiter that has already counted these requests. */
function after(limits: readonly RateLimit[], requests: readonly number[]): RateLimiter {
  const limiter = new RateLimiter(limits)
  for (const now of requests) take(limiter, now)
  return limiter
}

test('a window admits exactly its number of requests', () => {
  fc.assert(
    fc.property(window, instants, (limit, requests) => {
      const limiter = new RateLimiter([limit])
      const admitted = new Map<number, number>()
      for (const now of requests) {
        const begin = now - (now % limit.per)
        const before = admitted.get(begin) ?? 0
        const allowance = take(limiter, now)
        expect(allowance?.retryAt === undefined).toBe(before < limit.requests)
        const count = Math.min(before + 1, limit.requests)
        expect(allowance).toMatchObject({ remaining: limit.requests - count, resetAt: begin + limit.per })
        admitted.set(begin, count)
      }
    }),
  )
})

test('a bucket admits no more than its burst and its refill, over any period', () => {
  fc.assert(
    fc.property(bucket, instants, (limit, requests) => {
      const limiter = new RateLimiter([limit])
      const admitted = requests.filter((now) => isAdmitted(limiter, now))
      for (const [first, from] of admitted.entries()) {
        for (const [index, to] of admitted.slice(first).entries()) {
          const most = limit.burst + ((to - from) * limit.requests) / limit.per
          expect(index + 1).toBeLessThanOrEqual(most + 1e-6)
        }
      }
    }),
  )
})

test('an idle bucket refills up to its burst, and no further', () => {
  fc.assert(
    fc.property(bucket, instants, (limit, requests) => {
      const limiter = after([limit], requests)
      const later = (requests.at(-1) ?? START) + Math.ceil((limit.burst * limit.per) / limit.requests)
      const answers = Array.from({ length: limit.burst + 1 }, () => isAdmitted(limiter, later))
      expect(answers).toEqual([...Array(limit.burst).fill(true), false])
    }),
  )
})

test('a rejected request uses no quota of any limit', () => {
  fc.assert(
    fc.property(fc.array(limit, { minLength: 1, maxLength: 3 }), instants, (limits, requests) => {
      const limiter = new RateLimiter(limits)
      const admitted = requests.filter((now) => isAdmitted(limiter, now))
      const without = new RateLimiter(limits)
      for (const now of admitted) expect(isAdmitted(without, now)).toBe(true)
    }),
  )
})

const rates: fc.Arbitrary<RateLimit> = fc.record({
  requests: fc.integer({ min: 1, max: 100 }),
  per: fc.constantFrom(7, 100, 1_000, 60_000, 3_600_000),
  burst: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
})
const shares = fc.array(fc.nat(100), { minLength: 1, maxLength: 20 })

/** A client that sends at about the rate of a limit and retries after Retry-After. */
function sendAndRetry(
  limit: RateLimit,
  gaps: readonly number[],
  onRetry: (retryAt: number, sent: number[]) => void,
) {
  const sent: number[] = []
  let now = START
  for (const gap of gaps) {
    now += Math.floor((gap * limit.per) / limit.requests / 100)
    const { retryAt } = take(after([limit], sent), now) ?? {}
    sent.push(now)
    if (retryAt === undefined) continue
    onRetry(retryAt, sent)
    sent.push(retryAt)
    now = retryAt
  }
}

test('a client that waits for Retry-After is always admitted', () => {
  const again = (limit: RateLimit) => (retryAt: number, sent: number[]) =>
    expect(isAdmitted(after([limit], sent), retryAt)).toBe(true)
  const fiveAMinute = { requests: 5, per: 60_000, burst: 2 }
  expect(isAdmitted(after([fiveAMinute], [1_000, 1_091, 1_391]), 13_000)).toBe(true)
  fc.assert(
    fc.property(rates, shares, (limit, gaps) => sendAndRetry(limit, gaps, again(limit))),
    { numRuns: runs(200, 1_000) },
  )
})

test('a client that retries before Retry-After is rejected', () => {
  const sooner = (limit: RateLimit) => (retryAt: number, sent: number[]) =>
    expect(isAdmitted(after([limit], sent), retryAt - 1)).toBe(false)
  fc.assert(fc.property(rates, shares, (limit, gaps) => sendAndRetry(limit, gaps, sooner(limit))))
})

test('under several limits, a request that waits for Retry-After is admitted', () => {
  fc.assert(
    fc.property(fc.array(limit, { minLength: 2, maxLength: 3 }), instants, (limits, requests) => {
      const limiter = after(limits, requests)
      const retryAt = take(limiter, requests.at(-1) ?? START)?.retryAt
      fc.pre(retryAt !== undefined)
      expect(isAdmitted(limiter, retryAt)).toBe(true)
    }),
    { numRuns: runs(100, 500) },
  )
})

test('the requests of one key do not affect another', () => {
  fc.assert(
    fc.property(limit, fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(50))), (limit, sent) => {
      const answers = (keys: readonly string[]) => {
        const limiter = new RateLimiter([limit])
        let now = START
        return sent.flatMap(([key, gap]) => {
          now += gap
          return keys.includes(key) ? [[key, take(limiter, now, key)] as const] : []
        })
      }
      expect(answers(['a', 'b']).filter(([key]) => key === 'a')).toEqual(answers(['a']))
    }),
  )
})

test('the headers describe the limit with the least left, or the one that rejects', () => {
  const limiter = new RateLimiter([
    { name: 'wide', requests: 10, per: 1_000 },
    { name: 'narrow', requests: 2, per: 60_000 },
    { name: 'other', requests: 1, per: 1_000, operation: 'tasks.create' },
  ])
  const allowances = Array.from({ length: 3 }, () => take(limiter, START))
  expect(allowances.map((allowance) => [allowance?.name, allowance?.remaining])).toEqual([
    ['narrow', 1],
    ['narrow', 0],
    ['narrow', 0],
  ])
  expect(allowances.map((allowance) => allowance?.retryAt)).toEqual([undefined, undefined, START + 60_000])
})

test('a request without limits has no limit headers', () => {
  const limiter = new RateLimiter([{ requests: 1, per: 1_000, key: 'sk_free_*' }])
  expect(take(limiter, START, 'sk_paid')).toBeUndefined()
  expect(limiter.take('files.download', 'sk_free_1', START)).toBeUndefined()
  expect(take(new RateLimiter([]), START)).toBeUndefined()
})
