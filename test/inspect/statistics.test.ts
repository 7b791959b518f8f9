import { describe, expect, it } from 'vitest'
import { meanInterval, percentileInterval, shareInterval } from '../../src/inspect/statistics.js'

describe('confidence intervals', () => {
  // From the tables of Newcombe, "Two-sided confidence intervals for the single proportion", 1998.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of the share %i of %i have exact bounds', (count, whole, low, high) => {
    const [lower, upper] = shareInterval(count, whole)
    expect(lower).toBeCloseTo(low, 4)
    expect(upper).toBeCloseTo(high, 4)
  })

  it('of a mean have exact bounds, also for no values or equal values', () => {
    const [low, high] = meanInterval(10, 30, 4)
    expect([low, high]).toEqual([expect.closeTo(1.2348, 3), expect.closeTo(3.7652, 3)])
    expect([meanInterval(0, 0, 0), meanInterval(0.4, 0.04, 4)]).toEqual([
      [0, 0],
      [expect.closeTo(0.1), expect.closeTo(0.1)],
    ])
  })

  it('of a percentile lie between values of the sample', () => {
    const sorted = Float64Array.from({ length: 100 }, (_, index) => index + 1)
    expect(percentileInterval(sorted, 50)).toEqual([40, 61])
    expect(percentileInterval(sorted.subarray(0, 3), 99)).toEqual([2, 3])
  })
})
