import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chance, drawWord } from '../../src/engine/random.js'

const draws = (chance: Chance, purpose: string) => {
  const stream = chance.stream(purpose)
  return Array.from({ length: 5 }, () => stream.float())
}

test('the same key gives the same numbers on every machine', () => {
  const stream = Chance.of('seed').child('request').stream('delay')
  expect([stream.float(), stream.int(1_000)]).toEqual([0.8395570552730317, 733])
})

test('another seed, another child and another purpose each give other numbers', () => {
  const streams = [
    draws(Chance.of('seed').child('request'), 'delay'),
    draws(Chance.of('seed 2').child('request'), 'delay'),
    draws(Chance.of('seed').child('request 2'), 'delay'),
    draws(Chance.of('seed').child('request'), 'outcome'),
    draws(Chance.of('seed'), 'delay'),
  ]
  expect(new Set(streams.flat()).size).toBe(25)
})

test('a stream gives the same numbers, whatever other draws were made', () => {
  const purposes = fc.array(fc.constantFrom('delay', 'outcome', 'id', 'error'), { maxLength: 30 })
  const alone = draws(Chance.of('seed'), 'delay')
  fc.assert(
    fc.property(purposes, (others) => {
      const chance = Chance.of('seed')
      const stream = chance.stream('delay')
      const drawn = Array.from({ length: 5 }, () => {
        for (const purpose of others) chance.stream(purpose).float()
        return stream.float()
      })
      expect(drawn).toEqual(alone)
    }),
    { numRuns: 30 },
  )
})

test('floats are uniform from 0 up to, but not including, 1', () => {
  const stream = Chance.of('seed').stream('floats')
  const drawn = Array.from({ length: 20_000 }, () => stream.float())
  expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true)
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    drawn.filter((value) => Math.floor(value * 10) === tenth),
  )
  for (const { length } of tenths) expect(Math.abs(length - 2_000)).toBeLessThan(200)
})

test('integers are below their bound and reach every value', () => {
  const stream = Chance.of('seed').stream('ints')
  const drawn = new Set(Array.from({ length: 500 }, () => stream.int(7)))
  expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('a base-62 text has the requested length and uses every letter and digit', () => {
  const text = drawWord(Chance.of('seed').stream('id'), 5_000)
  expect(text).toMatch(/^[0-9A-Za-z]{5000}$/)
  expect(new Set(text).size).toBe(62)
})

test('fingerprints of different roots differ', () => {
  const root = Chance.of('seed')
  const fingerprints = Array.from({ length: 5_000 }, (_, index) => root.child(String(index)).fingerprint)
  expect(new Set(fingerprints).size).toBe(5_000)
  expect(root.child('7').fingerprint).toBe(fingerprints[7])
})
