import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/engine/canonical-json.js'
import { shortened, surveyInput, surveySync } from '../../../src/engine/tasks/survey-input.js'
import type { JsonValue } from '../../../src/index.js'

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>
const bytesOf = (input: JsonValue) => surveyInput(input).inputBytes
const list = (length: number, item: (index: number) => JsonValue) =>
  Array.from({ length }, (_, index) => item(index))

describe('a survey of an input', () => {
  it('returns the canonical text', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(surveyInput(value).canonical).toBe(canonicalJson(value))
      }),
    )
    const endless = JSON.parse('[1e999, "x", -0]')
    expect(surveyInput(endless).canonical).toBe('[null,"x",0]')
  })

  it.each<[string, JsonValue, boolean]>([
    ['a text with what begins like one', 'sim]] [[similar', true],
    ['no text at all', [1, null, {}], false],
    ['a text deep inside', { a: [{ b: 'go [[sim outcome=failed]]' }] }, true],
    ['the name of a field', { '[[sim': 1 }, false],
  ])('says whether %s may contain a directive', (_, input, mentioned) => {
    expect(surveyInput(input).mentionsDirective).toBe(mentioned)
  })

  it('concatenates a long text once, at any depth', () => {
    let nested: JsonValue = 'x'.repeat(5_000_000)
    for (let level = 0; level < 90; level++) nested = ['', nested]
    expect(surveyInput(nested).canonical).toHaveLength(5_000_002 + 90 * 5)
  })
})

/** The numbers are measurements of `process.memoryUsage` on Node 20, in bytes. */
describe('the estimate of the heap that an input retains', () => {
  it.each<[string, JsonValue, number]>([
    ['whole numbers', list(50_000, () => 1), 400_000],
    ['fractions', list(50_000, () => 1.5), 400_000],
    ['short texts', list(50_000, (index) => `s${index}`), 1_570_000],
    ['texts', list(50_000, (index) => `text of some length ${index}`), 2_730_000],
    ['a long text', 'a'.repeat(10_000_000), 10_000_000],
    ['a long text of two bytes a character', '漢'.repeat(3_300_000), 6_600_000],
    ['empty arrays', list(50_000, () => []), 2_000_000],
    ['empty objects', list(50_000, () => ({})), 3_150_000],
    ['arrays of one item', list(25_000, () => [1]), 1_600_000],
    ['objects of one shape', list(25_000, () => ({ a: 1 })), 960_000],
    ['objects of a shape each', list(25_000, (index) => ({ [`key_${index}`]: 1 })), 4_500_000],
    ['objects of many shapes', list(400, (index) => wide(100, `_${index}`)), 3_660_000],
    ['a table', wide(50_000, '_'), 4_300_000],
    ['a table with long keys', wide(50_000, 'k'.repeat(180)), 13_400_000],
  ])('of %s is correct to within a half', (_, input, measured) => {
    const share = bytesOf(input) / measured
    expect(share).toBeGreaterThan(1 / 1.5)
    expect(share).toBeLessThan(1.5)
  })

  it('is small for a small input', () => {
    expect(bytesOf({ prompt: 'a lighthouse at dawn', n: 2 })).toBeLessThan(100)
  })
})

function wide(fields: number, suffix: string): JsonValue {
  return Object.fromEntries(list(fields, (index) => index).map((index) => [`k${index}${suffix}`, 1]))
}

it.each([10, 65_536, 2_000_000])(
  'is the same with and without yielding, for %i characters',
  async (length) => {
    const input = { prompt: 'é'.repeat(length) }
    expect(surveySync(input)).toEqual(await shortened(surveyInput(input)))
  },
)
