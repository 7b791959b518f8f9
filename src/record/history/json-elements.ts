import { UsageError } from '../../engine/errors.js'
import { EntryError } from '../field-readers.js'

/** One task in a text: its JSON, and the line where it starts. */
export interface JsonElement {
  readonly text: string
  readonly line: number
}

/** Characters. A longer task is a mistake, such as a quotation mark without an end. */
const LONGEST = 100_000_000
/** Characters of an element that is not read again for each piece. */
const LONG = 1_000_000
const [QUOTE, BACKSLASH, NEWLINE, COMMA] = [0x22, 0x5c, 0x0a, 0x2c]
const BYTE_ORDER_MARK = 0xfeff
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d]
const LONGEST_BEFORE_PAGE = 100

/**
 * Splits a text into JSON objects without parsing the whole: JSON Lines, a JSON list, pages such as `{ "data": [...] }`, and
 * any sequence of these. In JSON Lines, a damaged line does not affect the next one.
 */
export class JsonElements {
  #text = ''
  /** What follows the text, and its length. */
  #pieces: string[] = []
  #length = 0
  #at = 0
  /** The index at which the current element starts; -1 between elements. */
  #start = -1
  #startLine = 1
  #line = 1
  #depth = 0
  /** The depth at which elements start: 0, 1 in a list, or one more than the depth of the list in a page. */
  #level = 0
  #isInText = false
  #isBare = false
  #found: JsonElement[] = []
  /** The end of a text that opens the list of a page. */
  readonly #beforePage: RegExp

  readonly #pageDepth: number

  /**
   * @param listName the field of a page with its list
   * @param pageDepth the number of objects around the list
   */
  constructor(listName: string, pageDepth = 1) {
    this.#pageDepth = pageDepth
    this.#beforePage = new RegExp(`"${listName}"\\s*:\\s*$`)
  }

  /**
   * Adds a piece of the text. @returns the elements that end in it. Those after the start of a long element may come with
   * a later piece
   */
  add(piece: string): JsonElement[] {
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#found = []
    // Each read copies the text, so the copies of a long element must not take the square of its length.
    if (this.#text.length > LONG && this.#length < this.#text.length) return this.#found
    return this.#read()
  }

  /** Reads the pieces so far. */
  #read(): JsonElement[] {
    this.#text += this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    while (this.#at < this.#text.length) {
      if (this.#isInText) this.#skipText()
      else this.#step(this.#text.charCodeAt(this.#at))
    }
    this.#forget()
    return this.#found
  }

  /** Ends the text. @returns the rest, which is incomplete unless it is a bare value */
  end(): JsonElement[] {
    this.#found = []
    this.#read()
    if (this.#start >= 0) this.#finish(this.#text.length)
    return this.#found
  }

  #step(code: number): void {
    if (code === QUOTE) {
      this.#startBare()
      this.#isInText = true
    } else if (code === OPEN || code === OPEN_LIST) this.#open(code)
    else if (code === CLOSE || code === CLOSE_LIST) this.#close()
    else if (code === NEWLINE || code === COMMA) this.#separate(code)
    else if (code > 0x20 && code !== BYTE_ORDER_MARK) this.#startBare()
    this.#at += 1
  }

  #open(code: number): void {
    // A damaged line ends before the next line that starts an object.
    const isNewLine = this.#text.charCodeAt(this.#at - 1) === NEWLINE
    if (code === OPEN && isNewLine && this.#level === 0 && this.#start >= 0) this.#finish(this.#at)
    if (this.#start < 0 && this.#depth === this.#level) {
      if (code === OPEN_LIST && this.#level === 0) this.#level = 1
      else this.#begin(false)
    } else if (code === OPEN_LIST && this.#opensPage()) {
      this.#level = this.#pageDepth + 1
      this.#start = -1
    }
    this.#depth += 1
  }

  #opensPage(): boolean {
    if (this.#level !== 0 || this.#depth !== this.#pageDepth) return false
    const from = Math.max(this.#start, this.#at - LONGEST_BEFORE_PAGE)
    return this.#beforePage.test(this.#text.slice(from, this.#at))
  }

  #close(): void {
    if (this.#isBare) this.#finish(this.#at)
    this.#depth = Math.max(0, this.#depth - 1)
    if (this.#depth < this.#level) this.#level = 0
    else if (this.#start >= 0 && this.#depth === this.#level) this.#finish(this.#at + 1)
  }

  #separate(code: number): void {
    if (code === NEWLINE) this.#line += 1
    if (this.#isBare && (code === NEWLINE || this.#level > 0)) this.#finish(this.#at)
  }

  /** Starts an element that is not an object, so that it is reported. */
  #startBare(): void {
    if (this.#start < 0 && this.#depth === this.#level) this.#begin(true)
  }

  #begin(isBare: boolean): void {
    this.#start = this.#at
    this.#startLine = this.#line
    this.#isBare = isBare
  }

  #finish(end: number): void {
    this.#found.push({ text: this.#text.slice(this.#start, end), line: this.#startLine })
    this.#start = -1
    this.#isBare = false
    this.#isInText = false
    this.#depth = this.#level
  }

  #skipText(): void {
    const code = this.#text.charCodeAt(this.#at)
    this.#at += code === BACKSLASH ? 2 : 1
    // A JSON string cannot contain a line break, so this one has no end.
    if (code === NEWLINE) this.#line += 1
    if (code === QUOTE || code === NEWLINE) this.#isInText = false
  }

  /** Drops the characters that are no longer needed. */
  #forget(): void {
    const from = this.#start < 0 ? Math.max(0, this.#at - LONGEST_BEFORE_PAGE) : this.#start
    if (this.#at - from > LONGEST) {
      throw new UsageError(
        `Line ${this.#startLine} starts a value of more than ${LONGEST.toLocaleString('en')} characters. Check its brackets and quotation marks.`,
      )
    }
    this.#text = this.#text.slice(from)
    this.#at -= from
    if (this.#start >= 0) this.#start -= from
  }
}

/** Splits a text that arrives in pieces. */
export async function* splitElements(
  pieces: AsyncIterable<string>,
  elements: JsonElements,
): AsyncGenerator<JsonElement, void, void> {
  for await (const piece of pieces) yield* elements.add(piece)
  yield* elements.end()
}

/** An entry of a history that cannot be read. */
export interface SkippedEntry {
  /** The line where it starts, from 1. */
  readonly line: number
  /** What is wrong with it: the field, the value and what was expected. */
  readonly message: string
}

/** Receives each entry that cannot be read; it may throw to stop. */
export type OnSkipped = (entry: SkippedEntry) => void

/** Parses and reads an entry; undefined if it was skipped. */
export function readElement<Entry>(
  { text, line }: JsonElement,
  read: (value: unknown) => Entry,
  onSkipped: OnSkipped,
): Entry | undefined {
  try {
    return read(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) onSkipped({ line, message: `not valid JSON: ${error.message}` })
    else if (error instanceof EntryError) onSkipped({ line, message: error.message })
    else throw error
    return undefined
  }
}
