import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureJson } from '../../src/http/json-body.js'
import type { JsonValue } from '../../src/index.js'

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<JsonValue>
const encoder = new TextEncoder()
const ANY = { values: Infinity, depth: Infinity }
const measure = (text: string, most = {}) => measureJson(encoder.encode(text), { ...ANY, ...most })

function valuesIn(value: JsonValue): number {
  return innerOf(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...innerOf(value).map(depthOf))
}

function innerOf(value: JsonValue): JsonValue[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

describe('the JSON size check', () => {
  it.each([undefined, '\t', '\r\n '])('counts values and levels, with %j between them', (space) => {
    fc.assert(
      fc.property(json, (value) => {
        const measured = measure(JSON.stringify(value, undefined, space))
        expect(measured).toEqual({ values: valuesIn(value), depth: depthOf(value) })
      }),
    )
  })

  it.each([
    ['commas and brackets in a text', '",[{]}:,"', { values: 1, depth: 0 }],
    ['quotes in a text', '["\\",\\"", "\\\\", "\\\\\\",["]', { values: 4, depth: 1 }],
    ['escapes in a key', '{"a\\":[1,2": 1}', { values: 2, depth: 1 }],
    ['empty lists', '[ [ ] , { }, [\n]]', { values: 4, depth: 2 }],
    ['characters whose bytes are none of ASCII', '["嬬孻", {"孽": "😀"}]', { values: 4, depth: 2 }],
  ])('is not misled by %s', (_, text, expected) => {
    expect(measure(text)).toEqual(expected)
  })

  it('stops at the first value or level over the limit', () => {
    expect(measure('[1,2,3,[[[[]]]]]', { values: 3 })).toEqual({ values: 4, depth: 1 })
    expect(measure('[1,[]]', { values: 3 })).toEqual({ values: 3, depth: 2 })
    expect(measure('[[[[1,2]]]]', { depth: 3 })).toEqual({ values: 4, depth: 4 })
  })

  it.each(['', '"', '"\\', '[[[', ']]]', ',,,', '{"a"', 'x'])('ends for %j, which is not JSON', (text) => {
    expect(measure(text).values).toBeGreaterThan(0)
  })
})
