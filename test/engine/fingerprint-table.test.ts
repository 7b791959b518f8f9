import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FingerprintTable } from '../../src/engine/occurrence-counter.js'

/** Few low bits, so that many fingerprints have the same first choice of a slot. */
const fingerprint = fc.tuple(fc.nat(5), fc.nat(2 ** 16 - 1)).map(([low, high]) => high * 2 ** 32 + low)
const value = fc.nat(2 ** 32 - 1)

test('a table has the same entries as a map after any changes', () => {
  const change = fc.oneof(fc.tuple(fingerprint, value), fc.tuple(fingerprint, fc.constant(undefined)))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300, size: 'max' }), (changes) => {
      const table = new FingerprintTable()
      const map = new Map<number, number>()
      for (const [key, value] of changes) {
        // A key that is likely to be present, half of the time.
        const known = [...map.keys()][key % 7] ?? key
        if (value === undefined) {
          table.delete(known)
          map.delete(known)
        } else {
          table.set(key, value)
          map.set(key, value)
        }
        expect(table.size).toBe(map.size)
        for (const candidate of [key, known, ...map.keys()]) {
          expect(table.get(candidate)).toBe(map.get(candidate))
          expect(table.has(candidate)).toBe(map.has(candidate))
        }
      }
      expect([...table.keys()].sort()).toEqual([...map.keys()].sort())
    }),
  )
})
