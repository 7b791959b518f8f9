import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternMatcher } from '../../../src/engine/pattern/matcher.js'
import { PatternError } from '../../../src/engine/pattern/parse-pattern.js'
import { runs } from '../../support/deep.js'

test.each([
  ['^(a+)+$', `${'a'.repeat(5_000)}!`],
  ['(a|aa)+$', `${'a'.repeat(5_000)}!`],
  ['^(?:a?){25}a{25}$', `${'a'.repeat(5_000)}!`],
  ['(?:x+x+)+y', 'x'.repeat(5_000)],
  ['forbidden.*thing', 'forbidden '.repeat(5_000)],
])('%s is not found in a text on which backtracking never ends', (pattern, text) => {
  expect(patternMatcher(pattern)(text)).toBe(false)
})

test('a pattern is found anywhere in a text of any length', () => {
  const matches = patternMatcher('^(a+)+$')
  expect(matches('a'.repeat(200_000))).toBe(true)
  expect(matches(`${'a'.repeat(200_000)}b`)).toBe(false)
})

const PARTS =
  'a b B \\w \\W \\d \\s . [ab] [^a] [\\]a-c] \\b \\B ^ $ \\. é ß \\u{1F600} \\uD83D\\uDE00 😀 \\x61 \\u0062 \\p{L} \\P{Lu} \\n \\cJ \\0 [] [^] [😀-😂] K ſ'
const SIGNS = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,}', '{0,2}', '{1,3}?']

function repeated(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(part, fc.constantFrom(...SIGNS))
    .map(([text, sign]) => (/^(?:\\[bB]|\^|\$)$/.test(text) ? text : `${text}${sign}`))
}

function choice(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.array(part, { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((options) => options.map((sequence) => sequence.join('')).join('|'))
}

// Nested repeats of limited depth, because the JavaScript engine must also terminate.
const part = fc.constantFrom(...PARTS.split(' '))
const group = fc
  .tuple(fc.constantFrom('(', '(?:', '(?<name>'), choice(repeated(part)))
  .map(([open, inside]) => `${open}${inside})`)
const pattern = choice(repeated(fc.oneof(part, part, group)))
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'B',
      '1',
      ' ',
      '\n',
      '.',
      'é',
      'É',
      'ß',
      '😀',
      '😂',
      '\ud83d',
      'K',
      'k',
      's',
      'ſ',
      '\0',
    ),
    {
      maxLength: 8,
    },
  )
  .map((characters) => characters.join(''))

test('it finds exactly the matches of the JavaScript engine', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (source, texts, ignoreCase) => {
        const expected = toRegExp(source, ignoreCase)
        fc.pre(expected !== undefined)
        const matches = patternMatcher(source, ignoreCase)
        for (const each of texts) expect([each, matches(each)]).toEqual([each, isFound(expected, each)])
      },
    ),
    { numRuns: runs(100, 3_000) },
  )
})

/** Returns undefined if a name occurs twice, which some versions of Node reject. */
function toRegExp(source: string, ignoreCase: boolean): RegExp | undefined {
  try {
    return new RegExp(source, ignoreCase ? 'iuy' : 'uy')
  } catch {
    return undefined
  }
}

/** Tries each position between two characters. Without the flag `y`, V8 also tries the middle of a surrogate pair. */
function isFound(expression: RegExp | undefined, text: string): boolean | undefined {
  const characters = [...text]
  const starts = [0, ...characters].map((_, count) => characters.slice(0, count).join('').length)
  return (
    expression &&
    starts.some((start) => {
      expression.lastIndex = start
      return expression.test(text)
    })
  )
}

test.each([
  ['(', /Invalid regular expression/],
  ['a(?!b)', /lookarounds such as \(\?!\.\.\.\) are not supported.*use two rules/],
  ['(?<=a)b', /lookarounds/],
  ['(a)\\1', /backreferences such as \\1 are not supported.*write out/],
  ['(?<x>a)\\k<x>', /backreferences/],
  ['(?i)a', /flags inside a pattern.*`ignore_case: true`/],
  ['(?i:a)', /flags inside a pattern.*`ignore_case: true`/],
  ['a{6000}', /too large.*more than 5000 parts; lower the counts in braces/],
  ['(?:(?:(?:a{0}){1000}){1000}){1000}', /too large/],
  ['a{0,99999999999}', /too large/],
  [`${'('.repeat(101)}a${')'.repeat(101)}`, /at most 100 levels of nested groups/],
  ['a'.repeat(10_001), /at most 10000 characters, got 10001/],
])('the pattern %s is rejected with an alternative', (source, message) => {
  expect(() => patternMatcher(source)).toThrow(PatternError)
  expect(() => patternMatcher(source)).toThrow(message)
})

test('a pattern sees only the first million characters of a text, and $ does not match at that cut', () => {
  const matches = patternMatcher('b$')
  expect(matches(`${'a'.repeat(900_000)}b`)).toBe(true)
  expect(matches(`${'a'.repeat(1_000_000)}b`)).toBe(true)
  expect(matches(`${'a'.repeat(1_000_001)}b`)).toBe(false)
  expect(matches(`${'a'.repeat(999_999)}bb`)).toBe(true)
  expect(matches(`${'a'.repeat(999_999)}baa`)).toBe(false)
})

test('a text with more states than the cache holds is still searched correctly', () => {
  const matches = patternMatcher('(?:a|b)*a(?:a|b){14}c')
  const noise = Array.from({ length: 20_000 }, (_, index) => ((index * 7_919) % 13 < 6 ? 'a' : 'b')).join('')
  expect(matches(noise)).toBe(false)
  expect(matches(`${noise}a${'b'.repeat(14)}c`)).toBe(true)
})
