import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readTarget } from '../../src/dashboard/model/clock.js'
import {
  bytes,
  clockTime,
  count,
  day,
  dayTime,
  dollars,
  duration,
  setZone,
  share,
} from '../../src/dashboard/model/format.js'

it.each([
  [0, '0 ms'],
  [250, '250 ms'],
  [999.6, '1000 ms'],
  [3_240, '3.2 s'],
  [59_940, '60 s'],
  [59_960, '1 min'],
  [245_000, '4 min 5 s'],
  [3_600_000, '1 h'],
  [86_400_000 * 30, '30 d'],
  [86_400_000 * 1.5, '1 d 12 h'],
  [-1_500, '−1.5 s'],
])('a duration of %d ms reads %j', (milliseconds, expected) => {
  expect(duration(milliseconds)).toBe(expected)
})

it('a time has its date on another day', () => {
  const at = Date.parse('2026-01-31T12:00:07.123Z')
  expect([dayTime(at, '2026-01-31'), dayTime(at, '2026-02-01', true)]).toEqual([
    '12:00:07',
    '2026-01-31 12:00:07.123',
  ])
})

it.each([
  [0, '$0'],
  [0.04, '$0.04'],
  [0.000036, '$0.000036'],
  [0.1, '$0.10'],
  [12.345, '$12.35'],
])('an amount of %d reads %j', (amount, expected) => {
  expect(dollars(amount)).toBe(expected)
})

it('a large number has group separators, a share has a percent sign, bytes have a unit', () => {
  expect(count(1_234_567)).toBe('1\u202f234\u202f567')
  expect(share(1, 8)).toBe('13 %')
  expect(share(1, 0)).toBe('–')
  expect(bytes(512)).toBe('512 B')
  expect(bytes(3_210)).toBe('3.2 kB')
})

describe('times in the zone of the browser', () => {
  /** From here on, the clocks of the zone are four hours behind UTC instead of five. */
  const SUMMER = Date.UTC(2026, 2, 8, 7)

  beforeEach(() => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function (this: Date) {
      return this.getTime() < SUMMER ? 300 : 240
    })
    setZone('local')
  })
  afterEach(() => {
    vi.restoreAllMocks()
    setZone('UTC')
  })

  it.each([
    ['2026-01-01T03:00:00.000Z', '2025-12-31 22:00:00'],
    ['2026-07-01T03:00:00.000Z', '2026-06-30 23:00:00'],
    ['2026-03-08T07:30:00.000Z', '2026-03-08 03:30:00'],
  ])('%s reads %s, and leads back', (iso, shown) => {
    const at = Date.parse(iso)
    expect(`${day(at)} ${clockTime(at)}`).toBe(shown)
    expect(readTarget(shown, at).at).toBe(at)
    expect(readTarget(shown.slice(11), at).at).toBe(at)
    expect(readTarget(iso, at).at).toBe(at)
  })

  it('the first and the last instant of the clock have years of four digits', () => {
    const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
    expect(day(first)).toBe('0001-01-01')
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-840)
    expect(`${day(last)} ${clockTime(last)}`).toBe('9999-12-31 23:59:59')
  })
})
