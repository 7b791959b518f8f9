import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Recent } from '../../src/engine/recent.js'

const MOST = 10
const keys = fc.array(fc.nat(30), { maxLength: 200 })

test('at least the most recently used half of the entries remains, and never more than the limit', () => {
  fc.assert(
    fc.property(keys, (used) => {
      const recent = new Recent<number, string>(MOST)
      for (const [index, key] of used.entries()) {
        if (recent.get(key) === undefined) recent.set(key, `value ${key}`)
        const lately = [...new Set(used.slice(0, index + 1).reverse())].slice(0, MOST / 2)
        // Reads the oldest entries first, to keep their order.
        for (const known of lately.reverse()) expect(recent.get(known)).toBe(`value ${known}`)
      }
      const all = Array.from({ length: 31 }, (_, key) => key)
      expect(all.filter((key) => recent.get(key) !== undefined).length).toBeLessThanOrEqual(MOST)
    }),
  )
})

test('a deleted entry is gone, whether new or about to be evicted', () => {
  const recent = new Recent<number, number>(MOST)
  for (let key = 0; key < MOST / 2 + 1; key++) recent.set(key, key)
  for (const key of [0, MOST / 2]) {
    recent.delete(key)
    expect(recent.get(key)).toBeUndefined()
  }
  expect(recent.get(1)).toBe(1)
})

test('its owner is informed of each entry that was set, deleted or evicted', () => {
  fc.assert(
    fc.property(keys, (used) => {
      const recent = new Recent<number, number>(MOST)
      const copy = new Map<number, number | undefined>()
      const changed = new Set<number>()
      recent.onChange = (key) => changed.add(key)
      for (const [index, key] of used.entries()) {
        if (index % 3 === 0) recent.get(key)
        else if (index % 7 === 0) recent.delete(key)
        else recent.set(key, index)
        for (const each of changed) copy.set(each, recent.get(each))
        changed.clear()
      }
      for (const [key, value] of copy) expect(recent.get(key)).toBe(value)
    }),
  )
})
