import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Retention } from '../../../src/core/task/retention.js'

/** Tasks end one after the other, and each is told of some ends later. */
const ends = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 })).map((toldAfter) => ({ toldAfter })),
  { maxLength: 60 },
)

test('whoever ended first is forgotten first, but not before all were told of it', () => {
  fc.assert(
    fc.property(ends, fc.integer({ min: 1, max: 8 }), (ends, most) => {
      const awaited = new Set<string>()
      const retention = new Retention(most, (id) => awaited.has(id))
      const forgotten: string[] = []
      for (const [now, { toldAfter }] of ends.entries()) {
        const id = String(now)
        if (toldAfter > 0) awaited.add(id)
        const oldest = retention.add(id)
        if (oldest !== undefined) forgotten.push(oldest)
        for (const other of [...awaited].filter(
          (other) => now - Number(other) >= (ends[Number(other)]?.toldAfter ?? 0),
        )) {
          awaited.delete(other)
          if (retention.told(other)) forgotten.push(other)
        }
        // Who is kept: the last ones, and of the others those of whom somebody is still to be told.
        const beyond = Array.from({ length: Math.max(0, now + 1 - most) }, (_, index) => String(index))
        expect([...forgotten].sort()).toEqual(beyond.filter((other) => !awaited.has(other)).sort())
      }
      const promptly = forgotten.filter((id) => (ends[Number(id)]?.toldAfter ?? 0) <= most)
      expect(promptly).toEqual([...promptly].sort((a, b) => Number(a) - Number(b)))
    }),
  )
})

test('a task that is told of before its turn stays until then', () => {
  const retention = new Retention(1, () => false)
  expect(retention.add('first')).toBeUndefined()
  expect(retention.told('first')).toBe(false)
  expect(retention.add('second')).toBe('first')
})
