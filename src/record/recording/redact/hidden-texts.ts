import type { Found } from './views.js'

/** Shorter texts are too common to be looked for. */
const SHORTEST = 4
/** Each text is found by its beginnings of these lengths, the longest of which has more than a quarter of it. */
const LENGTHS = Array.from({ length: 14 }, (_, index) => SHORTEST ** (index + 1))
/** The largest prime below 2^26: products of two remainders are exact. */
const PRIME = 67_108_859
/** Comparisons for each character of a text in which the texts are looked for. */
const MOST_TRIES = 8
const FEW_TRIES = 20_000

interface Hidden {
  readonly text: string
  readonly replacement: string | undefined
}

/**
 * Texts that must not be written anywhere: keys, and values that the user redacts. Finds them by the hashes of their
 * beginnings, in a time that grows with the length of a text only.
 * @see https://en.wikipedia.org/wiki/Rabin%E2%80%93Karp_algorithm
 */
export class HiddenTexts {
  readonly #base: number
  readonly #isPublic: (text: string) => boolean
  readonly #known = new Set<string>()
  readonly #starts = new Set<number>()
  /** The lengths of the texts by the hashes of their longest beginnings, longest first; undefined for other beginnings. */
  readonly #lengths = new Map<number, number[] | undefined>()
  readonly #byHash = new Map<number, Hidden[]>()
  /** The powers of the base, for the lengths of all texts. */
  #powers: Uint32Array = Uint32Array.of(1)

  /**
   * @param salt of the recording: without it, nobody can make up texts with equal hashes
   * @param isPublic whether everybody knows a text, because it belongs to the wire format
   */
  constructor(salt: string, isPublic: (text: string) => boolean) {
    this.#isPublic = isPublic
    this.#base = 1_000_003 + (Number.parseInt(salt.slice(0, 6), 16) || 0)
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
    for (const form of [text, ...bytes]) this.#index({ text: normalized(form), replacement })
  }

  #index(hidden: Hidden): void {
    const { text } = hidden
    const hashes = this.#hashes(text)
    if (this.#powers.length <= text.length) this.#powers = powersOf(this.#base, 2 * text.length)
    this.#starts.add(startOf(text, 0))
    let own: number[] = []
    for (const [index, length] of LENGTHS.entries()) {
      if (length > text.length) break
      const key = keyOf(this.#hash(hashes, 0, length), index)
      const isLongest = 4 * length > text.length
      own = this.#lengths.get(key) ?? []
      if (isLongest) this.#lengths.set(key, own)
      else if (!this.#lengths.has(key)) this.#lengths.set(key, undefined)
    }
    if (!own.includes(text.length))
      own.splice(own.findLastIndex((each) => each > text.length) + 1, 0, text.length)
    const hash = this.#hash(hashes, 0, text.length)
    const others = this.#byHash.get(hash)
    if (others === undefined) this.#byHash.set(hash, [hidden])
    else others.push(hidden)
  }

  /** Finds all of them in a text, from left to right, and the longest of those at the same place. */
  find(given: string): Found[] {
    if (this.#known.size === 0 || given.length < SHORTEST) return []
    const text = normalized(given)
    const found: Found[] = []
    let hashes: Uint32Array | undefined
    let tries = MOST_TRIES * text.length + FEW_TRIES
    for (let at = 0; at <= text.length - SHORTEST; at++) {
      if (!this.#starts.has(startOf(text, at))) continue
      hashes ??= this.#hashes(text)
      let longest: Hidden | undefined
      for (const [index, length] of LENGTHS.entries()) {
        const key = at + length > text.length ? -1 : keyOf(this.#hash(hashes, at, length), index)
        if (!this.#lengths.has(key)) break
        for (const each of this.#lengths.get(key) ?? []) {
          tries -= 1
          if (at + each > text.length) continue
          const same = this.#byHash.get(this.#hash(hashes, at, each)) ?? []
          const hidden = same.find((one) => one.text.length === each && text.startsWith(one.text, at))
          if (hidden === undefined) continue
          longest = hidden
          break
        }
      }
      // So many texts have these beginnings that nothing is known about the rest.
      if (tries < 0) return [...found, { start: at, end: text.length }]
      if (longest === undefined) continue
      const end = at + longest.text.length
      found.push({ start: at, end, replacement: longest.replacement })
      at = end - 1
    }
    return found
  }

  /** The hashes of all beginnings of a text. */
  #hashes(text: string): Uint32Array {
    const hashes = new Uint32Array(text.length + 1)
    for (let at = 0; at < text.length; at++)
      hashes[at + 1] = ((hashes[at] ?? 0) * this.#base + text.charCodeAt(at)) % PRIME
    return hashes
  }

  /** The hash of a part of a text. */
  #hash(hashes: Uint32Array, at: number, length: number): number {
    const before = ((hashes[at] ?? 0) * (this.#powers[length] ?? 0)) % PRIME
    return ((hashes[at + length] ?? 0) - before + PRIME) % PRIME
  }
}

/** The hash of a beginning, and the index of its length. */
function keyOf(hash: number, index: number): number {
  return hash * LENGTHS.length + index
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

function powersOf(base: number, length: number): Uint32Array {
  const powers = new Uint32Array(length + 1)
  powers[0] = 1
  for (let at = 0; at < length; at++) powers[at + 1] = ((powers[at] ?? 0) * base) % PRIME
  return powers
}

/** Forms have a plus in place of a space. */
function normalized(text: string): string {
  return text.replaceAll('+', ' ')
}

/** The bytes of a text in UTF-8, with one character for each. */
function inBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}
