import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/engine/json.js'
import { summarizeInSteps, summarizeSync } from '../../../src/engine/tasks/input.js'
import type { JsonValue } from '../../../src/index.js'

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>
const bytesOf = (input: JsonValue) => summarizeSync(input).inputBytes
const list = (length: number, item: (index: number) => JsonValue) =>
  Array.from({ length }, (_, index) => item(index))

describe('the summary of an input', () => {
  it('returns the canonical text', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(summarizeSync(value).canonical).toBe(canonicalJson(value))
      }),
    )
    const endless = JSON.parse('[1e999, "x", -0]')
    expect(summarizeSync(endless).canonical).toBe('[null,"x",0]')
  })

  it.each<[string, JsonValue, boolean]>([
    ['a text with what begins like one', 'sim]] [[similar', true],
    ['no text at all', [1, null, {}], false],
    ['a text deep inside', { a: [{ b: 'go [[sim outcome=failed]]' }] }, true],
    ['no beginning of one', ['[sim', '[', '[sim]]'], false],
  ])('says whether %s may contain a directive', (_, input, mentioned) => {
    expect(summarizeSync(input).mentionsDirective).toBe(mentioned)
  })

  it('has the digest of a long canonical text, which is concatenated once at any depth', () => {
    let nested: JsonValue = 'x'.repeat(5_000_000)
    for (let level = 0; level < 90; level++) nested = ['', nested]
    expect(summarizeSync(nested).canonical).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(canonicalJson(nested)).toHaveLength(5_000_002 + 90 * 5)
  })
})

/** The numbers are measurements of `process.memoryUsage` on Node 20, in bytes. */
describe('the bytes that an input counts', () => {
  it.each<[string, JsonValue, number]>([
    ['whole numbers', list(50_000, () => 1), 400_000],
    ['texts', list(50_000, (index) => `text of some length ${index}`), 2_730_000],
    ['a long text', 'a'.repeat(10_000_000), 10_000_000],
    ['a long text of two bytes a character', '漢'.repeat(3_300_000), 6_600_000],
    ['empty objects', list(50_000, () => ({})), 3_150_000],
    ['objects of one shape', list(25_000, () => ({ a: 1 })), 960_000],
    ['objects of a shape each', list(25_000, (index) => ({ [`key_${index}`]: 1 })), 4_500_000],
    ['a table with long keys', wide(50_000, 'k'.repeat(180)), 13_400_000],
  ])('are between half and twice its memory for %s', (_, input, measured) => {
    const share = bytesOf(input) / measured
    expect(share).toBeGreaterThan(0.45)
    expect(share).toBeLessThan(2.2)
  })

  it('are few for a small input', () => {
    expect(bytesOf({ prompt: 'a lighthouse at dawn', n: 2 })).toBeLessThan(200)
  })
})

function wide(fields: number, suffix: string): JsonValue {
  return Object.fromEntries(list(fields, (index) => index).map((index) => [`k${index}${suffix}`, 1]))
}

it.each([10, 65_536, 2_000_000])(
  'the summary of an input is the same with and without yielding, for %i characters',
  async (length) => {
    // A piece may end at a pair, at half a pair, or at what JSON escapes.
    const text = 'é"x𝄞\ud800'.repeat(length / 6).padEnd(length, '𝄞')
    const input = { content: [{ text }], prompt: text, text: `x${text}` }
    expect(summarizeSync(input)).toEqual(await summarizeInSteps(input))
  },
)
