import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeptCounts } from '../../../src/engine/tasks/kept-counts.js'

test('no two tasks that are kept come of the same order with the same number, whichever are forgotten', () => {
  const steps = fc.array(fc.record({ order: fc.nat(3), isMade: fc.boolean(), place: fc.nat(20) }), {
    maxLength: 100,
  })
  fc.assert(
    fc.property(steps, (steps) => {
      const counts = new KeptCounts()
      const kept: number[][] = [[], [], [], []]
      const made = [0, 0, 0, 0]
      for (const { order, isMade, place } of steps) {
        const own = kept[order] ?? []
        if (isMade) {
          const number = (counts.get(order) ?? 0) + 1
          counts.set(order, number)
          // It also goes on where all of them were forgotten meanwhile.
          made[order] = (made[order] ?? 0) + 1
          expect(number).toBe(made[order])
          own.push(number)
        } else if (own.length > 0) {
          own.splice(place % own.length, 1)
          counts.forget(order)
        }
      }
    }),
  )
})

test('an order of which nothing is kept is itself forgotten when very many others have come', () => {
  const counts = new KeptCounts()
  const [kept, past] = [-1, -2]
  for (const order of [kept, past]) counts.set(order, 1)
  counts.forget(past)
  for (let order = 0; order < 150_000; order++) {
    counts.set(order, 1)
    counts.forget(order)
  }
  expect([counts.get(kept), counts.get(past), counts.get(149_999)]).toEqual([1, undefined, 1])
})
