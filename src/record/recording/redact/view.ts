/** A part of a text, from its first character to the one after its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text as it reads when it is decoded, and where its parts are in the original. */
export interface View {
  readonly text: string
  /**
   * What it can contain: `text` anything; `list`, whose parts belong to different values, only secrets of a known form;
   * `bytes`, which only happen to be base64, only secrets that are known.
   */
  readonly kind: 'text' | 'list' | 'bytes'
  /** Where the characters from `start` to `end` are in the original. */
  place(start: number, end: number): Span
}
