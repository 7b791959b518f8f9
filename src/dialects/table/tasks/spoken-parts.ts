import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { endsSentence } from '../../../kinds/transcript/word.js'

/** The number of sentences in a paragraph. */
const SENTENCES = 4

type Word = JsonObject & { readonly text: string; readonly start: number; readonly end: number }

/** The sentences of a transcript, each with its words, its times and its confidence. */
export function sentencesIn(output: JsonObject): JsonObject[] {
  return groupsOf(wordsIn(output)).map(spokenPart)
}

/** The paragraphs of a transcript, as {@link sentencesIn}. */
export function paragraphsIn(output: JsonObject): JsonObject[] {
  const sentences = groupsOf(wordsIn(output))
  const starts = sentences.flatMap((_, index) => (index % SENTENCES === 0 ? [index] : []))
  return starts.map((start) => spokenPart(sentences.slice(start, start + SENTENCES).flat()))
}

/** What each speaker says without a break; undefined if the speakers are not known. */
export function utterancesIn(output: JsonObject): JsonObject[] | undefined {
  const turns: Word[][] = []
  for (const word of wordsIn(output)) {
    if (typeof word['speaker'] !== 'string') return undefined
    const turn = turns.at(-1)
    if (turn?.[0]?.['speaker'] === word['speaker']) turn.push(word)
    else turns.push([word])
  }
  return turns.map(spokenPart)
}

/**
 * Where words are in a transcript. Case and punctuation make no difference.
 * @param searched words, separated by commas
 */
export function matchesIn(output: JsonObject, searched: string): JsonObject[] {
  const words = wordsIn(output)
  const wanted = new Set(searched.split(',').map(plain).filter(Boolean))
  return [...wanted].flatMap((text) => {
    const indexes = words.flatMap((word, index) => (plain(word.text) === text ? [index] : []))
    const timestamps = indexes.map((index) => [words[index]?.start ?? 0, words[index]?.end ?? 0])
    return indexes.length === 0 ? [] : [{ text, count: indexes.length, timestamps, indexes }]
  })
}

function wordsIn({ words }: JsonObject): readonly Word[] {
  return Array.isArray(words) ? words.filter(isWord) : []
}

function isWord(value: JsonValue): value is Word {
  if (!isJsonObject(value)) return false
  const { text, start, end } = value
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number'
}

function groupsOf(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [[]]
  for (const word of words) {
    groups.at(-1)?.push(word)
    if (endsSentence(word.text)) groups.push([])
  }
  return groups.filter(({ length }) => length > 0)
}

function spokenPart(words: readonly Word[]): JsonObject {
  const confidences = words.map(({ confidence }) => Number(confidence ?? 1))
  const sum = confidences.reduce((total, each) => total + each, 0)
  return {
    text: words.map(({ text }) => text).join(' '),
    start: words[0]?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    confidence: Math.round((sum / words.length) * 100) / 100,
    words: [...words],
    speaker: words[0]?.['speaker'] ?? null,
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
}
