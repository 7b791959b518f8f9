import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import {
  type Caption,
  captionsOf,
  speak,
  toSrt,
  toVtt,
} from '../../../src/kinds/transcript/write-transcript.js'
import { runs } from '../../support/deep.js'

const anyWord = fc.oneof(
  fc.constantFrom('we', 'can', 'parse.', 'Really?', 'a&b', '<i>', '-->', '1', 'WEBVTT', '&amp;'),
  fc.string({ minLength: 1, maxLength: 60 }).filter((text) => /^\S+$/u.test(text)),
)
const anySpeech = fc
  .tuple(fc.array(anyWord, { maxLength: 80 }), fc.boolean())
  .map(([words, hasSpeakers]) => speak(words, Chance.of('test').stream('confidence'), hasSpeakers))

const milliseconds = (hours = '', minutes = '', seconds = '', rest = '') =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(rest)

/** Reads blocks of lines separated by one empty line, with times such as `00:00:01,000 --> 00:00:02,000`. */
function readCues(text: string, point: string): Caption[] {
  const time = `(\\d{2,}):([0-5]\\d):([0-5]\\d)\\${point}(\\d{3})`
  const times = new RegExp(`^${time} --> ${time}$`)
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [line = '', words = '', ...rest] = block.replace(/\n$/, '').split('\n')
      const match = times.exec(line)
      expect({ match: match !== null, rest }, block).toEqual({ match: true, rest: [] })
      const [, ...parts] = match ?? []
      return {
        start: milliseconds(...parts.slice(0, 4)),
        end: milliseconds(...parts.slice(4)),
        text: words,
      }
    })
}

test('words follow each other in time, and longer words take longer', () => {
  fc.assert(
    fc.property(anySpeech, (words) => {
      for (const [index, { start, end, confidence }] of words.entries()) {
        expect(end).toBeGreaterThan(start)
        expect(start).toBeGreaterThanOrEqual(words[index - 1]?.end ?? 0)
        expect(Number.isInteger(start) && Number.isInteger(end)).toBe(true)
        expect(confidence).toBeGreaterThanOrEqual(0.8)
        expect(confidence).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: runs(100, 1_000) },
  )
  const [short, long] = speak(['a', 'conversation'], Chance.of('test').stream('confidence'), false)
  expect((long?.end ?? 0) - (long?.start ?? 0)).toBeGreaterThan((short?.end ?? 0) - (short?.start ?? 0))
})

test('captions contain all words in order, have short lines, and do not overlap', () => {
  fc.assert(
    fc.property(anySpeech, (words) => {
      const captions = captionsOf(words)
      expect(captions.flatMap(({ text }) => text.split(' '))).toEqual(words.map(({ text }) => text))
      for (const [index, { start, end, text }] of captions.entries()) {
        expect(text.length <= 42 || !text.includes(' ')).toBe(true)
        expect(end).toBeGreaterThan(start)
        expect(start).toBeGreaterThanOrEqual(captions[index - 1]?.end ?? 0)
      }
    }),
    { numRuns: runs(100, 1_000) },
  )
})

test('SubRip numbers the captions, and a reader gets the same captions back', () => {
  fc.assert(
    fc.property(anySpeech, (words) => {
      const captions = captionsOf(words)
      const srt = toSrt(captions)
      const numbered = srt.split('\n\n').filter(Boolean)
      expect(numbered.map((block) => block.split('\n', 1)[0])).toEqual(
        captions.map((_, index) => String(index + 1)),
      )
      const unnumbered = numbered.map((block) => block.slice(block.indexOf('\n') + 1)).join('\n\n')
      expect(readCues(unnumbered, ',')).toEqual(
        captions.map((caption) => ({ ...caption, text: caption.text.replaceAll('-->', '→') })),
      )
    }),
    { numRuns: runs(100, 1_000) },
  )
})

test('WebVTT escapes markup, and a reader gets the same captions back', () => {
  const unescaped = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  fc.assert(
    fc.property(anySpeech, (words) => {
      const captions = captionsOf(words)
      const [header, ...blocks] = toVtt(captions).split('\n\n')
      expect(header?.trimEnd()).toBe('WEBVTT')
      const cues = readCues(blocks.join('\n\n'), '.')
      for (const { text } of cues) expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
      expect(cues.map((cue) => ({ ...cue, text: unescaped(cue.text) }))).toEqual(captions)
    }),
    { numRuns: runs(100, 1_000) },
  )
})

test('a caption after an hour has the hour in its time', () => {
  const caption = { start: 3_723_004, end: 3_724_050, text: 'Hello.' }
  expect(toSrt([caption])).toBe('1\n01:02:03,004 --> 01:02:04,050\nHello.\n')
  expect(toVtt([caption])).toBe('WEBVTT\n\n01:02:03.004 --> 01:02:04.050\nHello.\n')
})
