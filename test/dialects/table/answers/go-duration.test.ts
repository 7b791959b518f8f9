import { expect, test } from 'vitest'
import { goDuration } from '../../../../src/dialects/table/dialect-from-table.js'

test.each([
  [0, '0s'],
  [20, '20ms'],
  [1_000, '1s'],
  [59_500, '59.5s'],
  [360_000, '6m0s'],
  [3_600_000, '1h0m0s'],
  [90_061_000, '25h1m1s'],
])('a span of %d ms is %s', (span, text) => {
  expect(goDuration(span)).toBe(text)
})
