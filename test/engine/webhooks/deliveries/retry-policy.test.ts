import { expect, test } from 'vitest'
import { decideRetry, type RetryDecision } from '../../../../src/engine/webhooks/deliveries/retry-policy.js'

const DELIVERED: RetryDecision = { state: 'delivered' }
const GIVEN_UP: RetryDecision = { state: 'given_up' }
const retryAfter = (wait: number): RetryDecision => ({ state: 'pending', wait })

test.each<[string, number | undefined, number, RetryDecision]>([
  ['200', 200, 1, DELIVERED],
  ['204', 204, 1, DELIVERED],
  ['299', 299, 4, DELIVERED],
  ['a redirect', 302, 1, retryAfter(1_000)],
  ['304', 304, 1, retryAfter(1_000)],
  ['199', 199, 1, retryAfter(1_000)],
  ['400', 400, 1, retryAfter(1_000)],
  ['404', 404, 2, retryAfter(5_000)],
  ['409', 409, 1, retryAfter(1_000)],
  ['429', 429, 3, retryAfter(25_000)],
  ['500', 500, 1, retryAfter(1_000)],
  ['no answer', undefined, 2, retryAfter(5_000)],
  ['no answer', undefined, 4, GIVEN_UP],
  ['500', 500, 4, GIVEN_UP],
  ['410', 410, 1, GIVEN_UP],
  ['410', 410, 3, GIVEN_UP],
])('%s (%o) to attempt %d is followed by %j', (_, status, attempts, decision) => {
  expect(decideRetry(status, attempts, [1_000, 5_000, 25_000])).toEqual(decision)
})

test('without a schedule there is one attempt', () => {
  expect(decideRetry(500, 1, [])).toEqual(GIVEN_UP)
  expect(decideRetry(200, 1, [])).toEqual(DELIVERED)
})

test('a service may stop its retries at any 4xx, but not at a 5xx or without an answer', () => {
  const limits = { stopsOn4xx: true }
  expect([400, 404, 429, 499].map((status) => decideRetry(status, 1, [7], limits))).toEqual(
    Array(4).fill(GIVEN_UP),
  )
  expect([399, 500, undefined].map((status) => decideRetry(status, 1, [7], limits))).toEqual(
    Array(3).fill(retryAfter(7)),
  )
})

test('a delay of zero is an immediate retry', () => {
  expect(decideRetry(500, 1, [0])).toEqual(retryAfter(0))
})
