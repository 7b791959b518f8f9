import fc from 'fast-check'
import { expect, test } from 'vitest'
import { httpDate, isoTime } from '../../../src/engine/clock/instants.js'

const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

test('an instant has the same text as a Date of it, whatever was written before', () => {
  const instant = fc.oneof(
    fc.integer({ min: FIRST, max: LAST }),
    fc.integer({ min: -5_000, max: 5_000 }),
    fc.double({ min: -5_000, max: 5_000, noNaN: true }),
  )
  fc.assert(
    fc.property(fc.array(instant), (instants) => {
      expect(instants.map((at) => isoTime(at))).toEqual(instants.map((at) => new Date(at).toISOString()))
    }),
  )
})

test('an instant outside the years of four digits has the text of the nearest one', () => {
  for (const at of [LAST + 1, 8.64e15 + 1, 1e300, Infinity])
    expect([isoTime(at), httpDate(at)]).toEqual(['9999-12-31T23:59:59.999Z', 'Fri, 31 Dec 9999 23:59:59 GMT'])
  for (const at of [FIRST - 1, -8.64e15 - 1, -1e300])
    expect([isoTime(at), httpDate(at)]).toEqual(['0001-01-01T00:00:00.000Z', 'Mon, 01 Jan 0001 00:00:00 GMT'])
})

test('what is not an instant has no text', () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
})
