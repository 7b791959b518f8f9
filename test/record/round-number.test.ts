import fc from 'fast-check'
import { expect, it } from 'vitest'
import { roundestBetween } from '../../src/record/numbers.js'

it('a number is rounded to the fewest decimals within its bounds', () => {
  expect(roundestBetween(1.9, 5.2)).toBe(4)
  expect(roundestBetween(0.0396, 0.0404)).toBe(0.04)
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-6, max: 1, noNaN: true }),
      (low, width) => {
        const rounded = roundestBetween(low, low + width)
        expect(rounded >= low && rounded <= low + width).toBe(true)
      },
    ),
  )
})
