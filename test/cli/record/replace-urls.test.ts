import fc from 'fast-check'
import { expect, it } from 'vitest'
import { replaceInHeader, replaceUrls, urlReplacement } from '../../../src/cli/record/proxy/replace-urls.js'

const REPLACEMENTS = [
  ['https://fal.run', 'http://127.0.0.1:4010/fal/run'],
  ['https://fal.run.example', 'http://other'],
  ['https://rest.fal.ai', 'http://127.0.0.1:4010/fal/rest'],
] as const

const replaced = (text: string) => String(replaceUrls(Buffer.from(text), REPLACEMENTS))

it.each([
  ['{"url":"https://fal.run/a?b=1"}', '{"url":"http://127.0.0.1:4010/fal/run/a?b=1"}'],
  ['["https://fal.run"]', '["http://127.0.0.1:4010/fal/run"]'],
  [
    'data: {"u": "https:\\/\\/fal.run\\/a"}\n\n',
    'data: {"u": "http:\\/\\/127.0.0.1:4010\\/fal\\/run\\/a"}\n\n',
  ],
  ['"https://fal.run.example/a"', '"http://other/a"'],
  ['"https://fal.run.evil.example/a"', '"https://fal.run.evil.example/a"'],
  ['"https://fal.running/a"', '"https://fal.running/a"'],
  ['"see https://fal.run/a"', '"see https://fal.run/a"'],
  ['"Größe ✓ https://fal.run"', '"Größe ✓ https://fal.run"'],
])('the recorder replaces the start of URLs in %s', (text, expected) => {
  expect(replaced(text)).toBe(expected)
})

it('the recorder replaces URLs wherever the body is split', async () => {
  const part = fc.constantFrom('"', 'https://', 'fal.run', 'rest.fal.ai', '/a', '\\/', 'é', '.example', '\n')
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.array(fc.nat(5)), async (parts, lengths) => {
      const body = Buffer.from(parts.join(''))
      const stream = urlReplacement(REPLACEMENTS)
      let start = 0
      for (const length of lengths) {
        stream.write(body.subarray(start, start + length))
        start += length
      }
      stream.end(body.subarray(start))
      expect(Buffer.concat(await stream.toArray())).toEqual(replaceUrls(body, REPLACEMENTS))
    }),
  )
})

it.each([
  ['https://fal.run/next', 'http://127.0.0.1:4010/fal/run/next'],
  ['<https://rest.fal.ai/a>; rel="next"', '<http://127.0.0.1:4010/fal/rest/a>; rel="next"'],
  ['https://fal.running/next', 'https://fal.running/next'],
])('the recorder replaces the URL in the header %s', (value, expected) => {
  expect(replaceInHeader(value, REPLACEMENTS)).toBe(expected)
})
