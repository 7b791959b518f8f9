import { expect, test } from 'vitest'
import { readDuration, toMilliseconds } from '../../../src/engine/clock/durations.js'
import { UsageError } from '../../../src/index.js'

test.each([
  ['250ms', 250],
  ['3s', 3_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['30d', 2_592_000_000],
  ['1.5s', 1_500],
  ['0s', 0],
  ['1h30m', 5_400_000],
  ['1m30s', 90_000],
  ['1d2h3m4s5ms', 93_784_005],
  ['1m1.5s', 61_500],
  ['3s4ms', 3_004],
  [' 2s ', 2_000],
  ['36500d', 3_153_600_000_000],
])('%j is a duration of %d milliseconds', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds)
})

test.each([
  '',
  '3',
  's',
  '3 s',
  '3S',
  '-3s',
  '+3s',
  '.5s',
  '3.s',
  '1e3ms',
  '4ms3s',
  '1m1h',
  '3s3s',
  '1h 30m',
  '1h30',
  '3w',
  '1,5s',
  '36501d',
])('%j is not a duration', (text) => {
  expect(readDuration(text)).toBeUndefined()
})

test('a number is a duration in milliseconds', () => {
  expect(toMilliseconds(1_500)).toBe(1_500)
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 3_153_600_000_001, 'soon'])(
  '%j is rejected with an error that shows valid durations',
  (duration) => {
    expect(() => toMilliseconds(duration)).toThrow(UsageError)
    expect(() => toMilliseconds(duration)).toThrow(/a duration such as 250ms, 3s, 5m, 1h30m or 30d/)
  },
)
