import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from '../../../src/engine/clock/iso-time.js'

test('an instant has the same text as a Date of it, whatever was written before', () => {
  const instant = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: -5_000, max: 5_000 }),
    fc.double({ min: -5_000, max: 5_000, noNaN: true }),
  )
  fc.assert(
    fc.property(fc.array(instant), (instants) => {
      expect(instants.map((at) => isoTime(at))).toEqual(instants.map((at) => new Date(at).toISOString()))
    }),
  )
})

test('an instant that a Date does not support has no text', () => {
  expect(() => isoTime(8.64e15 + 1_000)).toThrow(RangeError)
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
})
