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

test('its owner is informed of each entry that was set or evicted', () => {
  fc.assert(
    fc.property(keys, (used) => {
      const recent = new Recent<number, number>(MOST)
      const copy = new Map<number, number | undefined>()
      const changed = new Set<number>()
      recent.onChange = (key) => changed.add(key)
      for (const [index, key] of used.entries()) {
        if (index % 3 === 0) recent.get(key)
        else recent.set(key, index)
        for (const each of changed) copy.set(each, recent.get(each))
        changed.clear()
      }
      for (const [key, value] of copy) expect(recent.get(key)).toBe(value)
    }),
  )
})
