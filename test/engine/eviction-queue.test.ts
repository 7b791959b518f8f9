import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EvictionQueue } from '../../src/engine/memory/caches.js'

test('a queue returns what is not deleted, in the order in which it was added', () => {
  // A whole number deletes one of the items; true adds one, and false takes the oldest.
  const step = fc.oneof(fc.constant(true), fc.constant(true), fc.constant(false), fc.nat(1_000))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
      const queue = new EvictionQueue()
      let expected: { id: string; bytes: number }[] = []
      for (const [number, step] of steps.entries()) {
        if (step === true) {
          const item = { id: `item ${number}`, bytes: number }
          queue.add(item)
          expected.push(item)
        } else if (step === false) {
          expect(queue.takeOldest()).toEqual(expected.shift())
        } else if (expected.length > 0) {
          const { id } = expected[step % expected.length] as { id: string }
          expect(queue.delete(id)).toBe(true)
          expected = expected.filter((item) => item.id !== id)
        }
        expect(queue.size).toBe(expected.length)
      }
      expect([...queue.ids()]).toEqual(expected.map(({ id }) => id))
    }),
  )
})
