import type { Found } from './views.js'

/** Shorter texts are too common to be looked for. */
const SHORTEST = 4
/** The work for each character of a text in which the texts are looked for: searches, and characters that they compare. */
const MOST_WORK = 8
const SOME_WORK = 20_000
const COMPARED_AT_ONCE = 16

interface Hidden {
  readonly text: string
  readonly replacement: string | undefined
}

/** Texts that must not be written anywhere: keys, and values that the user redacts. */
export class HiddenTexts {
  readonly #isPublic: (text: string) => boolean
  readonly #known = new Set<string>()
  /** The first characters of all texts, as numbers. */
  readonly #starts = new Set<number>()
  /** In the order of their characters, so that a binary search finds the texts with a beginning. */
  readonly #sorted: Hidden[] = []
  #longest = 0

  /** @param isPublic whether everybody knows a text, because it belongs to the wire format */
  constructor(isPublic: (text: string) => boolean) {
    this.#isPublic = isPublic
  }

  /** The number of texts. */
  get size(): number {
    return this.#known.size
  }

  /** @param text ignored if it is public or has fewer than 4 characters */
  add(text: string, replacement: string | undefined): void {
    if (text.length < SHORTEST || this.#known.has(text) || this.#isPublic(text)) return
    this.#known.add(text)
    const bytes = /[^\0-\x7f]/.test(text) ? [inBytes(text)] : []
    for (const form of [text, ...bytes]) this.#insert({ text: normalized(form), replacement })
  }

  #insert(hidden: Hidden): void {
    const { text } = hidden
    const before = this.#lastUpTo(text)
    if (this.#sorted[before]?.text === text) return
    this.#sorted.splice(before + 1, 0, hidden)
    this.#starts.add(startOf(text, 0))
    this.#longest = Math.max(this.#longest, text.length)
  }

  /** Finds all of them in a text, from left to right, and the longest of those at the same index. */
  find(given: string): Found[] {
    const text = normalized(given)
    const found: Found[] = []
    let left = MOST_WORK * text.length + SOME_WORK
    for (let at = 0; at <= text.length - SHORTEST; at++) {
      if (!this.#starts.has(startOf(text, at))) continue
      let end = Math.min(text.length, at + this.#longest)
      while (end - at >= SHORTEST) {
        // So many texts have these beginnings that nothing is known about the rest.
        if (left < 0) return [...found, { start: at, end: text.length }]
        const part = text.slice(at, end)
        const last = this.#sorted[this.#lastUpTo(part)]
        const common = commonStart(part, last?.text ?? '')
        left -= 1 + common / COMPARED_AT_ONCE
        if (last !== undefined && common === last.text.length) {
          found.push({ start: at, end: at + common, replacement: last.replacement })
          at += common - 1
          break
        }
        // The last text up to this part shares its longest beginning, so only a shorter text can be here.
        end = at + common
      }
    }
    return found
  }

  /** The index of the last text that does not come after another one; -1 if there is none. */
  #lastUpTo(other: string): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle]?.text ?? '') <= other) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** The number of characters with which two texts start alike. */
function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

/** A number for the first characters. */
function startOf(text: string, at: number): number {
  return (
    (text.charCodeAt(at) << 21) ^
    (text.charCodeAt(at + 1) << 14) ^
    (text.charCodeAt(at + 2) << 7) ^
    text.charCodeAt(at + 3)
  )
}

/** Forms have a plus in place of a space. */
function normalized(text: string): string {
  return text.replaceAll('+', ' ')
}

/** The bytes of a text in UTF-8, with one character for each. */
function inBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}
