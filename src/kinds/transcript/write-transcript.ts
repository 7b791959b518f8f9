import { type Awaitable, after } from '../../engine/awaitable.js'
import type { JsonObject } from '../../engine/json.js'
import { Chance, type Random } from '../../engine/random.js'
import type { Task } from '../../engine/tasks/task.js'
import { fillText } from '../template.js'
import { drawPhrase, VOCABULARY, type Vocabulary } from '../vocabulary.js'
import { endsSentence, type Word } from './word.js'

/** The fields with which real services ask for speakers. */
const SPEAKER_FIELDS = ['speaker_labels', 'diarize', 'diarization']

/**
 * Writes the transcript of an audio file: the text of the scenario, or generated prose that fills the duration. The
 * same task always gets the same transcript.
 * @param seconds the duration of the audio
 * @returns a promise only if code must be loaded
 */
export function writeTranscript({ id, input, plan }: Task, seconds: number): Awaitable<JsonObject> {
  const chance = Chance.of(id)
  const given = plan.reply?.text
  if (given !== undefined) return transcriptOf(wordsOf(fillText(given, input)), input, chance)
  return after(VOCABULARY.get(), (vocabulary) =>
    transcriptOf(prose(1_000 * seconds, vocabulary, chance.stream('transcript')), input, chance),
  )
}

function transcriptOf(spoken: readonly string[], input: JsonObject, chance: Chance): JsonObject {
  const hasSpeakers = SPEAKER_FIELDS.some((field) => Object.hasOwn(input, field) && input[field] === true)
  const words = speak(spoken, chance.stream('confidence'), hasSpeakers)
  const captions = captionsOf(words)
  return {
    text: spoken.join(' '),
    words: words.map((word) => ({ ...word })),
    srt: toSrt(captions),
    vtt: toVtt(captions),
  }
}

/** Generates the words that fit a duration, in milliseconds; at least one word. */
function prose(duration: number, vocabulary: Vocabulary, random: Random): string[] {
  const words: string[] = []
  while ((timesOf(words).at(-1)?.end ?? 0) < duration) words.push(...wordsOf(drawPhrase(vocabulary, random)))
  const fitting = timesOf(words).filter(({ end }) => end <= duration).length
  return asSentence(words.slice(0, Math.max(1, fitting)))
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

/** Ends the last word with a period. */
function asSentence(words: readonly string[]): string[] {
  return words.map((word, index) => (index < words.length - 1 ? word : word.replace(/[^\p{L}\p{N}]*$/u, '.')))
}

/** Writes captions in the SubRip format. */
export function toSrt(captions: readonly Caption[]): string {
  return captions
    .map(
      ({ start, end, text }, index) =>
        `${index + 1}\n${timestamp(start, ',')} --> ${timestamp(end, ',')}\n${withoutArrow(text)}\n`,
    )
    .join('\n')
}

/** The format cannot escape the arrow between two times. */
function withoutArrow(text: string): string {
  return text.replaceAll('-->', '→')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Writes captions in the WebVTT format.
 * @see https://www.w3.org/TR/webvtt1/#file-structure
 */
export function toVtt(captions: readonly Caption[]): string {
  const cues = captions.map(
    ({ start, end, text }) => `${timestamp(start, '.')} --> ${timestamp(end, '.')}\n${escaped(text)}\n`,
  )
  return ['WEBVTT\n', ...cues].join('\n')
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character)
}

/**
 * Writes a time as `00:01:02,345`.
 * @param point the character before the milliseconds
 */
function timestamp(milliseconds: number, point: ',' | '.'): string {
  const seconds = Math.floor(milliseconds / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return `${clock}${point}${String(milliseconds % 1_000).padStart(3, '0')}`
}

/** The silence before the first word, in milliseconds. */
const LEAD_IN = 100

/** About 150 words a minute, in milliseconds. */
const PER_WORD = 100
const PER_LETTER = 40
const BETWEEN_WORDS = 60
const BETWEEN_SENTENCES = 400

/** A longer word does not take longer. */
const MOST_LETTERS = 20
const LEAST_CONFIDENCE = 0.8
const SPEAKERS = ['A', 'B'] as const

/** When a word is spoken, in milliseconds. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Returns when each word is spoken at a steady pace: longer words take longer, and a pause follows each sentence. */
function timesOf(words: readonly string[]): Span[] {
  let at = LEAD_IN
  return words.map((word) => {
    const start = at
    const end = start + PER_WORD + PER_LETTER * Math.min(word.length, MOST_LETTERS)
    at = end + (endsSentence(word) ? BETWEEN_SENTENCES : BETWEEN_WORDS)
    return { start, end }
  })
}

/**
 * Speaks words at a steady pace.
 * @param random draws how confident the model is of each word
 * @param hasSpeakers whether two speakers take turns, a sentence each
 */
export function speak(words: readonly string[], random: Random, hasSpeakers: boolean): Word[] {
  const times = timesOf(words)
  let sentences = 0
  return words.map((text, index) => {
    const { start, end } = times[index] as Span
    const speaker = SPEAKERS[sentences % SPEAKERS.length] as string
    if (endsSentence(text)) sentences += 1
    const confidence = Math.round((LEAST_CONFIDENCE + random.float() * (1 - LEAST_CONFIDENCE)) * 100) / 100
    return { text, start, end, confidence, ...(hasSpeakers && { speaker }) }
  })
}

/** A caption: text, and when it is shown, in milliseconds. */
export interface Caption {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The longest line that subtitle guidelines recommend, in characters. */
const LONGEST_LINE = 42

/** Groups words into captions of one line. A caption ends with its sentence. A longer word is a caption by itself. */
export function captionsOf(words: readonly Word[]): Caption[] {
  const captions: Caption[] = []
  let current: Caption | undefined
  for (const { text, start, end } of words) {
    if (current !== undefined && current.text.length + 1 + text.length <= LONGEST_LINE) {
      current = { ...current, end, text: `${current.text} ${text}` }
    } else {
      if (current !== undefined) captions.push(current)
      current = { start, end, text }
    }
    if (!endsSentence(text)) continue
    captions.push(current)
    current = undefined
  }
  return current === undefined ? captions : [...captions, current]
}
