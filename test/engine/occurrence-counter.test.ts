import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OccurrenceCounter } from '../../src/engine/occurrence-counter.js'
import { Chance } from '../../src/engine/random.js'
import { deepTest } from '../support/deep.js'

const root = Chance.of('seed')

test('two retained occurrences of an identity never have the same number', () => {
  const steps = fc.array(fc.record({ identity: fc.nat(3), isRetained: fc.boolean(), place: fc.nat(20) }), {
    maxLength: 100,
  })
  fc.assert(
    fc.property(steps, (steps) => {
      const counter = new OccurrenceCounter(root)
      const retained: number[][] = [[], [], [], []]
      const counts = [0, 0, 0, 0]
      for (const { identity, isRetained, place } of steps) {
        const own = retained[identity] ?? []
        if (isRetained) {
          const { number } = counter.retain(String(identity))
          // The count also continues after the release of all occurrences.
          counts[identity] = (counts[identity] ?? 0) + 1
          expect(number).toBe(counts[identity])
          own.push(number)
        } else if (own.length > 0) {
          own.splice(place % own.length, 1)
          counter.release(root.child(String(identity)).fingerprint)
        }
      }
    }),
  )
})

deepTest('an identity without retained occurrences loses its count after a large number of others', () => {
  const counter = new OccurrenceCounter(root)
  counter.retain('retained')
  counter.release(counter.retain('released').seed.fingerprint)
  for (let order = 0; order < 75_000; order++) {
    counter.release(counter.retain(`released ${order}`).seed.fingerprint)
    counter.count(`counted ${order}`)
  }
  const next = ['retained', 'released', 'released 74999', 'counted 74999'].map(
    (identity) => counter.retain(identity).number,
  )
  expect(next).toEqual([2, 1, 2, 2])
})
