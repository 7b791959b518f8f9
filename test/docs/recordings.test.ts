import { expect, test } from 'vitest'
import { RECORDING_VERSION } from '../../src/record/recording/recording.js'
import { readText } from '../record/recording/recording-text.js'
import { snippets } from './pages.js'

test.each(snippets('jsonl').map(({ place, text }) => [place, text] as const))(
  'the recording at %s is valid, and has an entry of each type and every field of the header',
  async (_, text) => {
    const { header, entries, incomplete } = await readText(text)
    expect(header.version).toBe(RECORDING_VERSION)
    expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(['exchange', 'webhook', 'file']))
    expect(incomplete).toEqual([])
    // The reader ignores unknown fields, so a field that is misspelled would be missing.
    expect([header, ...entries]).toEqual(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  },
)

test('the page about recordings has an example', () => {
  expect(snippets('jsonl').map(({ place }) => place)).toEqual([expect.stringContaining('docs/record.md')])
})
