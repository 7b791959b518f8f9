import { type Awaitable, after } from '../../engine/awaitable.js'
import type { Random } from '../../engine/random.js'
import { drawPhrase, pick, VOCABULARY, type Vocabulary } from '../vocabulary.js'

const MAX_WORDS = 12
const MAX_CHARACTERS = 100

/** The number of characters to search for the topic of a message. */
const SEARCHED_CHARACTERS = 1_000

const OPENINGS = [
  (topic: string) => `You asked about “${topic}”.`,
  (topic: string) => `On “${topic}”:`,
  (topic: string) => `Here is what I think of “${topic}”.`,
]

const SENTENCES: Range = { min: 2, max: 6 }
const WORDS: Range = { min: 3, max: 10 }

interface Range {
  readonly min: number
  readonly max: number
}

/**
 * Generates an answer: it quotes the question and continues with meaningless prose.
 * @returns a promise only the first time, when the words are loaded
 */
export function writeProse(question: string, random: Random): Awaitable<string> {
  return after(VOCABULARY.get(), (words) => proseOf(words, question, random))
}

/** Draws the second part as `lorem.paragraph` of faker does, which copies its list of words for each word. */
function proseOf(vocabulary: Vocabulary, question: string, random: Random): string {
  const topic = topicOf(question)
  const opening = pick(OPENINGS, random)
  const phrase = drawPhrase(vocabulary, random)
  const prose = `${phrase} ${repeat(SENTENCES, random, () => sentence(vocabulary.latin, random))}`
  return topic === '' ? prose : `${opening(topic)} ${prose}`
}

function sentence(words: readonly string[], random: Random): string {
  const text = repeat(WORDS, random, () => pick(words, random))
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Joins a drawn number of texts. */
function repeat({ min, max }: Range, random: Random, next: () => string): string {
  const count = Math.floor(random.float() * (max - min + 1) + min)
  let text = next()
  for (let index = 1; index < count; index++) text += ` ${next()}`
  return text
}

/** Returns the first words of a message's first line, without punctuation at the end. */
export function topicOf(message: string): string {
  const [line = ''] = message.slice(0, SEARCHED_CHARACTERS).trim().split(/\n/, 1)
  const words = line.split(/\s+/).slice(0, MAX_WORDS).join(' ')
  // A split into characters takes longer than the rest, and most messages are short.
  const topic = words.length > MAX_CHARACTERS ? [...words].slice(0, MAX_CHARACTERS).join('') : words
  return topic.replace(/[\s.,:;!?…。！？]+$/u, '')
}
