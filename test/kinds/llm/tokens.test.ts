import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import { expect, test } from 'vitest'
import { countTokens, firstTokens } from '../../../src/kinds/llm/tokens.js'
import { runs } from '../../support/deep.js'

/** Texts with their number of tokens in o200k, the vocabulary of current chat models. */
const COUNTED: [what: string, tokens: number, text: string][] = [
  ['a word', 1, 'Hello'],
  ['an instruction', 8, 'Write a function that adds two numbers.'],
  [
    'English prose',
    36,
    'The quick brown fox jumps over the lazy dog, and then it sleeps under a tree until the sun goes down. In the morning it wakes up and looks for something to eat.',
  ],
  [
    'code',
    53,
    'export async function readLines(path: string): Promise<string[]> {\n  const text = await readFile(path, "utf8")\n  return text.split("\\n").filter((line) => line.trim() !== "")\n}\n\nconsole.log(await readLines("a.txt"))',
  ],
  [
    'JSON',
    30,
    '{"model":"acme/video-1","input":{"prompt":"waves","duration":5,"audio":true},"tags":["a","b"]}',
  ],
  [
    'German',
    33,
    'Die Würde des Menschen ist unantastbar. Sie zu achten und zu schützen ist Verpflichtung aller staatlichen Gewalt. Schreibe eine Geschichte über Wellen.',
  ],
  [
    'Chinese',
    65,
    '人工智能是计算机科学的一个分支，它企图了解智能的实质，并生产出一种新的能以人类智能相似的方式做出反应的智能机器。请写一段关于海洋波浪的描述，要求生动、具体，并且不超过两百字。',
  ],
  [
    'Japanese',
    61,
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。',
  ],
  [
    'Korean',
    43,
    '모든 국민은 법률이 정하는 바에 의하여 국가기관에 문서로 청원할 권리를 가진다. 국가는 청원에 대하여 심사할 의무를 진다.',
  ],
]

test.each(COUNTED)('the estimate is close to the count of a tokenizer: %s', (_, tokens, text) => {
  const estimate = countTokens(text)
  expect(Math.abs(estimate - tokens)).toBeLessThanOrEqual(Math.ceil(tokens / 5))
})

test('the same text always has the same number of tokens, and an empty text has none', () => {
  expect(countTokens('waves and dolphins')).toBe(countTokens('waves and dolphins'))
  expect(countTokens('')).toBe(0)
})

test('the estimate for a long text reads only its beginning, so the rest takes no time', () => {
  expect(countTokens('word '.repeat(400))).toBe(400)
  expect(countTokens('word '.repeat(40_000) + 'x'.repeat(200_000))).toBe(80_000)
})

test.each([1, 7, 250_000])('a text is cut to at most %d tokens, and never inside a character', (limit) => {
  for (const text of ['波🌊'.repeat(300_000), 'word '.repeat(300_000), 'Ünïcödé 🌊 waves\n'.repeat(30_000)]) {
    const cut = firstTokens(text, limit)
    expect(text.startsWith(cut)).toBe(true)
    expect(cut).not.toMatch(/[\uD800-\uDBFF]$/)
    expect(cut).not.toBe('')
    expect(countTokens(cut)).toBeLessThanOrEqual(limit)
  }
})

test('a cut text has the maximum number of tokens, except for the last character', () => {
  const texts = fc.record({
    text: fc.string({ unit: 'grapheme', maxLength: 400 }),
    limit: fc.integer({ min: 1, max: 60 }),
  })
  fc.assert(
    fc.property(texts, ({ text, limit }) => {
      const cut = firstTokens(text, limit)
      const tokens = countTokens(cut)
      expect(text.startsWith(cut)).toBe(true)
      expect(tokens).toBeLessThanOrEqual(limit)
      if (cut !== text) expect(tokens).toBeGreaterThan(limit - 6)
    }),
    { numRuns: runs(100, 500) },
  )
})

test('the words of a text have as many tokens as the text', () => {
  const units = fc.constantFrom(
    'a',
    'word',
    ' ',
    '  ',
    '\n',
    '\t',
    '、',
    '漢字',
    '.',
    ',"',
    'é',
    '🌊',
    '12345',
    'ABCDEFGHIJ',
  )
  const texts = fc.array(units, { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      expect(countTokens(text)).toBe(estimateTokenCount(text))
    }),
    { numRuns: runs(300, 20_000) },
  )
})
