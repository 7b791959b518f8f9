import { endsSentence, type Word } from './word.js'

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
