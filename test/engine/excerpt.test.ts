import fc from 'fast-check'
import { expect, it } from 'vitest'
import { excerptOf } from '../../src/engine/json.js'
import type { JsonValue } from '../../src/index.js'

it('an excerpt is the beginning of the JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, most) => {
      const text = JSON.stringify(value)
      const excerpt = excerptOf(value as JsonValue, most)
      // A truncated text ends with its own quotation mark.
      expect(text.startsWith(excerpt.slice(0, Math.max(0, most - 1)))).toBe(true)
      if (text.length <= most) expect(excerpt).toBe(text)
    }),
  )
})

it('an excerpt reads no more of the value than it returns', () => {
  const unread = {
    get a(): string {
      throw new Error('This must not be read')
    },
  }
  expect(excerptOf(['x'.repeat(20), unread], 20)).toBe(`["${'x'.repeat(18)}`)
})

it('an excerpt of many levels reads only the first ones', () => {
  const [lists, objects] = [
    '['.repeat(100_000) + ']'.repeat(100_000),
    '{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000),
  ]
  expect(excerptOf(JSON.parse(lists), 20)).toBe('['.repeat(20))
  expect(excerptOf(JSON.parse(objects), 20)).toBe('{"a":'.repeat(4))
})
