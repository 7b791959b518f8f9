import { expect, test } from 'vitest'
import { retryAfterOf } from '../../../../src/engine/webhooks/deliveries/retry-policy.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const SECOND = 1_000

test.each<[Record<string, string>, number]>([
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': ' 7 ' }, 7 * SECOND],
  [{ 'retry-after': '3600' }, 3_600 * SECOND],
  [{ 'retry-after': '3601' }, 3_600 * SECOND],
  [{ 'retry-after': '9'.repeat(400) }, 3_600 * SECOND],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30 * SECOND],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:30 GMT' }, 0],
  [{ 'retry-after': 'Fri, 01 Jan 2027 00:00:00 GMT' }, 3_600 * SECOND],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:27 GMT' }, 10 * SECOND],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT', date: 'yesterday' }, 30 * SECOND],
])('%j requests a wait of %d ms', (headers, wait) => {
  expect(retryAfterOf(headers, NOW)).toBe(wait)
})

test.each(['', '-1', '1.5', 'soon', '2099-01-01', 'Thu, 99 Foo 2099 00:00:00 GMT'])(
  '%j requests no wait',
  (value) => expect(retryAfterOf({ 'retry-after': value }, NOW)).toBe(0),
)

test('an answer without headers requests no wait', () => expect(retryAfterOf(undefined, NOW)).toBe(0))
