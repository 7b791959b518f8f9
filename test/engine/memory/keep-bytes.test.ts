import { expect, test } from 'vitest'
import { describeBytes, readKeepBytes } from '../../../src/engine/memory/budget.js'

const MB = 1024 * 1024

test.each([
  [1024 * MB, 1024 * MB],
  ['256MB', 256 * MB],
  ['1.5 gb', 1536 * MB],
  ['2048kB', 2 * MB],
  ['1048576', MB],
  [Infinity, Infinity],
  ['Infinity', Infinity],
])('%s is a number of bytes to keep', (value, bytes) => {
  expect(readKeepBytes(value)).toBe(bytes)
})

test.each(['', '256', '256 megabytes', '-1MB', 0, -1, 1.5e6 + 0.5, Number.NaN, null, '1023kB'])(
  '%s is not a number of bytes to keep',
  (value) => {
    expect(readKeepBytes(value)).toBeUndefined()
  },
)

test('a size is described in the usual unit', () => {
  expect([1536, 512 * MB, 1536 * MB].map(describeBytes)).toEqual(['1.5 kB', '512 MB', '1.5 GB'])
})
