import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/engine/json.js'
import type { JsonValue } from '../../src/index.js'

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>

function withKeysReversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withKeysReversed)
  const reversed = Object.entries(value).reverse()
  return Object.fromEntries(reversed.map(([key, inner]) => [key, withKeysReversed(inner)]))
}

test('the order of keys is irrelevant, and no value is lost', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(withKeysReversed(value))).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('keys are sorted at every level, and lists keep their order', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }, 2], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1},2]}')
})

test('values that differ in anything else have different texts', () => {
  const values: JsonValue[] = [
    1,
    '1',
    true,
    'true',
    null,
    'null',
    [],
    {},
    [[]],
    [1, 2],
    [2, 1],
    { 1: 2 },
    '\ud800',
  ]
  expect(new Set(values.map((value) => canonicalJson(value))).size).toBe(values.length)
})

test('a lone surrogate is escaped, so that two different ones stay different in UTF-8', () => {
  expect(canonicalJson(['\ud800', '\udfff'])).toBe('["\\ud800","\\udfff"]')
})

test('a key called __proto__ is a key like any other', () => {
  const value: JsonValue = JSON.parse('{"b":1,"__proto__":{"a":2}}')
  expect(canonicalJson(value)).toBe('{"__proto__":{"a":2},"b":1}')
})

test('a long value under two names is written once, and stands under both', () => {
  const long = 'wave '.repeat(20_000)
  const written: string[] = []
  const text = canonicalJson({ prompt: long, promptText: long, size: 'small' }, (string) => {
    written.push(string)
    return JSON.stringify(string)
  })
  expect(written).toEqual([long, 'small'])
  expect(JSON.parse(text)).toEqual({ prompt: long, promptText: long, size: 'small' })
})
