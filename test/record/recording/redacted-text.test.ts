import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonValue } from '../../../src/engine/json.js'
import { canonicalJson } from '../../../src/engine/json.js'
import { keyName, redactedText } from '../../../src/record/recording/redacted-text.js'

it('redacted texts are equal if and only if the values are', () => {
  const json = fc.jsonValue() as fc.Arbitrary<JsonValue>
  fc.assert(
    fc.property(json, json, (one, other) => {
      const isEqual = canonicalJson(one) === canonicalJson(other)
      expect(redactedText('5a17', one) === redactedText('5a17', other)).toBe(isEqual)
      expect(redactedText('5a17', one)).toMatch(/^\[redacted [0-9a-f]{32}\]$/)
    }),
  )
})

it('redacted texts do not depend on the order of fields, but on the salt', () => {
  expect(redactedText('5a17', { a: 1, b: 2 })).toBe(redactedText('5a17', { b: 2, a: 1 }))
  expect(redactedText('5a17', 'text')).not.toBe(redactedText('5a18', 'text'))
})

it('an API key has a short name that depends on the salt', () => {
  expect(keyName('5a17', 'sk_live_local')).toMatch(/^key_[0-9a-f]{8}$/)
  expect(keyName('5a17', 'sk_live_local')).not.toBe(keyName('5a18', 'sk_live_local'))
})
