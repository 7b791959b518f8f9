import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chance, type Random } from '../../src/engine/random.js'
import type { FrequencyConditions } from '../../src/engine/scenario/conditions.js'
import { type FrequencyCandidate, FrequencyCondition } from '../../src/engine/scenario/frequency.js'

const COUNT = 10_000
const root = Chance.of('seed')

const noDraw = (): Random => {
  throw new Error('There was nothing to draw')
}
const candidate = (fields: Partial<FrequencyCandidate> = {}): FrequencyCandidate => ({
  since: 0,
  key: 'sk',
  task: 'task',
  random: noDraw,
  ...fields,
})

/** Returns the numbers of the matching candidates, counted from 1. */
function chosen(
  conditions: FrequencyConditions,
  count: number,
  at: (number: number) => Partial<FrequencyCandidate> = () => ({}),
): number[] {
  const condition = new FrequencyCondition(conditions)
  return Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => condition.take(candidate(at(number))) !== undefined,
  )
}

/** Returns the matching share of many candidates, each with its own draw. */
function share(conditions: FrequencyConditions, since = 0): number {
  const random = (number: number) => () => root.child(String(number)).stream('share')
  return chosen(conditions, COUNT, (number) => ({ since, random: random(number) })).length / COUNT
}

const numbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n)

test('without a condition every candidate matches and is counted', () => {
  const condition = new FrequencyCondition({})
  expect([
    condition.take(candidate()),
    condition.take(candidate({ key: 'other' })),
    condition.take(candidate()),
  ]).toEqual([1, 2, 3])
})

test('`nth` selects one candidate, or all candidates in a range', () => {
  const n = fc.integer({ min: 1, max: 30 })
  fc.assert(
    fc.property(n, n, fc.nat(40), (a, b, count) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)]
      expect(chosen({ nth: a }, count)).toEqual(a <= count ? [a] : [])
      expect(chosen({ nth: { min, max } }, count)).toEqual(numbers(min, Math.min(max, count)))
      expect(chosen({ nth: { min } }, count)).toEqual(numbers(min, count))
      expect(chosen({ nth: { max } }, count)).toEqual(numbers(1, Math.min(max, count)))
    }),
  )
})

test('`every` selects the last candidate of each group', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(100), (every, count) => {
      const expected = Array.from({ length: Math.floor(count / every) }, (_, index) => (index + 1) * every)
      expect(chosen({ nth: { every } }, count)).toEqual(expected)
    }),
  )
})

test.each(['task', 'key'] as const)('per %s, candidates are counted separately', (per) => {
  const conditions = fc.oneof(
    fc.record({ nth: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ nth: fc.record({ every: fc.integer({ min: 1, max: 4 }) }) }),
    fc.constant({}),
  )
  const candidates = fc.array(
    fc.record({ task: fc.constantFrom('a', 'b', 'c'), key: fc.constantFrom('x', 'y') }),
  )
  fc.assert(
    fc.property(conditions, candidates, (conditions, candidates) => {
      const condition = new FrequencyCondition({ ...conditions, per })
      const together = candidates.map((fields) => ({ fields, number: condition.take(candidate(fields)) }))
      for (const scope of new Set(candidates.map((fields) => fields[per]))) {
        const alone = new FrequencyCondition(conditions)
        const own = together.filter(({ fields }) => fields[per] === scope)
        expect(own.map(({ number }) => number)).toEqual(
          own.map(({ fields }) => alone.take(candidate(fields))),
        )
      }
    }),
  )
})

test('among very many tasks, the most recent ones keep their counts', () => {
  const condition = new FrequencyCondition({ per: 'task' })
  for (let task = 0; task < 250_000; task++) {
    condition.take(candidate({ task: String(task) }))
    if (task % 50_000 === 0) condition.take(candidate({ task: 'polled on' }))
  }
  const counts = ['249999', '150001', 'polled on', '0'].map((task) => condition.take(candidate({ task })))
  expect(counts).toEqual([2, 2, 6, 1])
})

test('a window includes its beginning and excludes its end, and candidates outside are not counted', () => {
  const bounds = fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 100 }))
  fc.assert(
    fc.property(
      bounds,
      fc.array(fc.nat(250)),
      fc.integer({ min: 1, max: 5 }),
      ([from, length], instants, nth) => {
        const window = { from, to: from + length }
        const since = [...instants].sort((a, b) => a - b)
        const inside = since.flatMap((at, index) => (at >= window.from && at < window.to ? [index + 1] : []))
        const at = (number: number) => ({ since: since[number - 1] ?? 0 })
        expect(chosen({ window }, since.length, at)).toEqual(inside)
        expect(chosen({ window, nth }, since.length, at)).toEqual(inside.slice(nth - 1, nth))
      },
    ),
  )
})

test('a window that is open on one side has no bound there', () => {
  const at = (number: number) => ({ since: (number - 1) * 10 })
  expect(chosen({ window: { from: 20 } }, 4, at)).toEqual([3, 4])
  expect(chosen({ window: { to: 20 } }, 4, at)).toEqual([1, 2])
})

test.each([0.01, 0.2, 0.5, 0.99])('a rate of %d matches that share', (rate) => {
  expect(Math.abs(share({ rate }) - rate)).toBeLessThan(0.015)
})

test('a rate changes evenly from one share to the other over its window', () => {
  const ramp = (from: number, to: number): FrequencyConditions => ({
    rate: { from, to },
    window: { from: 1_000, to: 5_000 },
  })
  for (const passed of [0, 0.25, 0.9]) {
    expect(Math.abs(share(ramp(0, 0.8), 1_000 + 4_000 * passed) - 0.8 * passed)).toBeLessThan(0.015)
    expect(Math.abs(share(ramp(1, 0), 1_000 + 4_000 * passed) - (1 - passed))).toBeLessThan(0.015)
  }
  expect(share(ramp(1, 1), 999)).toBe(0)
  expect(share(ramp(1, 1), 5_000)).toBe(0)
})

test('a rate also counts candidates that were not drawn', () => {
  const low: Random = { float: () => 0, int: () => 0 }
  const high: Random = { float: () => 0.99, int: () => 0 }
  const condition = new FrequencyCondition({ rate: 0.5 })
  const draws = [high, low, high, low]
  expect(draws.map((random) => condition.take(candidate({ random: () => random })))).toEqual([
    undefined,
    2,
    undefined,
    4,
  ])
})

test('nothing is drawn if the result is certain', () => {
  expect(chosen({ rate: 1 }, 3)).toEqual([1, 2, 3])
  expect(chosen({ rate: 0 }, 3)).toEqual([])
  expect(chosen({ rate: 0.5, nth: 4 }, 3)).toEqual([])
  expect(chosen({ rate: 0.5, window: { from: 1 } }, 3)).toEqual([])
})
