/** A spoken word. Times are whole milliseconds from the start of the audio. */
export interface Word {
  /** The word with its punctuation. */
  readonly text: string
  readonly start: number
  /** Later than the start, and not later than the start of the next word. */
  readonly end: number
  /** 0 to 1, with two decimals. */
  readonly confidence: number
  /** `A` or `B`, if the request asks for speakers. */
  readonly speaker?: string
}

/** Whether a word ends a sentence. */
export function endsSentence(word: string): boolean {
  return /[.!?…]["'”’)]*$/u.test(word)
}
