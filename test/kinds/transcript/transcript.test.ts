import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/index.js'
import { readMediaSpec } from '../../../src/kinds/built-in-kinds.js'
import { produce } from '../../../src/kinds/produce.js'
import type { Word } from '../../../src/kinds/transcript/word.js'
import { aTask } from '../../support/tasks.js'

async function transcribed(input: JsonObject, text?: string, id = 'task_1') {
  const task = aTask({ id, kind: 'transcript', input, plan: text === undefined ? {} : { reply: { text } } })
  const { result, usage } = await produce(task)
  const { words, ...texts } = result.output as { text: string; words: unknown; srt: string; vtt: string }
  return { ...texts, words: words as Word[], usage, files: result.files }
}

test('a transcript fills the duration of the audio, and the seconds are its usage', async () => {
  const { text, words, srt, vtt, usage, files } = await transcribed({
    audio_url: 'https://x.test/a.mp3',
    duration: 60,
  })
  expect({ usage, files }).toEqual({ usage: { seconds: 60 }, files: 0 })
  expect(text).toBe(words.map((word) => word.text).join(' '))
  expect(words.length).toBeGreaterThan(100)
  expect(words.length).toBeLessThan(200)
  const end = words.at(-1)?.end ?? 0
  expect(end).toBeLessThanOrEqual(60_000)
  expect(end).toBeGreaterThan(58_000)
  expect(text).toMatch(/\.$/)
  expect(srt).toMatch(/^1\n00:00:00,100 --> /)
  expect(vtt).toMatch(/^WEBVTT\n\n00:00:00\.100 --> /)
})

test('the same task has the same transcript, and another task has another one', async () => {
  expect(await transcribed({})).toEqual(await transcribed({}))
  expect((await transcribed({}, undefined, 'task_2')).text).not.toBe((await transcribed({})).text)
})

test('without a duration, the audio lasts 30 seconds', async () => {
  expect((await transcribed({})).usage).toEqual({ seconds: 30 })
})

test('even the shortest audio has a word', async () => {
  expect((await transcribed({ duration: 0.5 })).words).toHaveLength(1)
})

test('words have a speaker only if the input asks for speakers, who take turns by sentence', async () => {
  const text = 'One. Two words. Three.'
  const speakers = async (input: JsonObject) =>
    (await transcribed(input, text)).words.map(({ speaker }) => speaker)
  expect(await speakers({ speaker_labels: true })).toEqual(['A', 'B', 'B', 'A'])
  expect(await speakers({})).toEqual([undefined, undefined, undefined, undefined])
})

test('the scenario can set the text, with parts of the input', async () => {
  const { text, words } = await transcribed({ name: 'Ada' }, 'Hello {{input.name}}, welcome.')
  expect(text).toBe('Hello Ada, welcome.')
  expect(words.map((word) => word.text)).toEqual(['Hello', 'Ada,', 'welcome.'])
})

test('an unusable duration is rejected', () => {
  expect(() => readMediaSpec('transcript', { duration: 601 })).toThrow('from 0.5 to 600')
  expect(readMediaSpec('transcript', { duration: 601 }, { lenient: true })).toEqual({
    kind: 'transcript',
    seconds: 600,
  })
})
