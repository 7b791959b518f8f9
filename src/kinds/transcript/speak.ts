import type { Random } from '../../engine/random.js'
import { endsSentence, type Word } from './word.js'

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
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns when each word is spoken at a steady pace: longer words take longer, and a pause follows each sentence. */
export function timesOf(words: readonly string[]): Span[] {
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
