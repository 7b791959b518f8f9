import { encodings } from './encodings.js'

/** Shorter texts are too common to be looked for. */
const SHORTEST = 4
/** The lengths of the beginnings by which texts are found. */
const HEADS = [12, SHORTEST] as const

interface Hidden {
  readonly secret: string
  readonly encode: (secret: string) => string
  readonly replacement: string
}

/** Texts that must not be written anywhere: keys, and values that the user redacts. Finds them in their usual encodings. */
export class HiddenTexts {
  readonly #known = new Set<string>()
  readonly #byHead = new Map<string, Hidden[]>()
  readonly #firsts = new Set<number>()

  /** The number of texts. */
  get size(): number {
    return this.#known.size
  }

  /** @param secret ignored if it has fewer than 4 characters */
  add(secret: string, replacement: string): void {
    if (secret.length < SHORTEST || this.#known.has(secret)) return
    this.#known.add(secret)
    for (const encode of encodings(secret)) {
      const encoded = encode(secret)
      const size = HEADS.find((length) => encoded.length >= length) ?? SHORTEST
      const head = encoded.slice(0, size)
      const others = this.#byHead.get(head)
      if (others === undefined) this.#byHead.set(head, [{ secret, encode, replacement }])
      else others.push({ secret, encode, replacement })
      this.#firsts.add(encoded.charCodeAt(0))
    }
  }

  /** Replaces all of them in a text. */
  replaceIn(text: string): string {
    if (this.#known.size === 0) return text
    let replaced = ''
    let copied = 0
    for (let at = 0; at <= text.length - SHORTEST; at++) {
      if (!this.#firsts.has(text.charCodeAt(at))) continue
      const found = this.#longestAt(text, at)
      if (found === undefined) continue
      replaced += text.slice(copied, at) + found.replacement
      copied = at + found.length
      at = copied - 1
    }
    return replaced + text.slice(copied)
  }

  #longestAt(text: string, at: number): { replacement: string; length: number } | undefined {
    let longest: { replacement: string; length: number } | undefined
    for (const size of HEADS) {
      for (const { secret, encode, replacement } of this.#byHead.get(text.slice(at, at + size)) ?? []) {
        const encoded = encode(secret)
        if (encoded.length > (longest?.length ?? 0) && text.startsWith(encoded, at))
          longest = { replacement, length: encoded.length }
      }
    }
    return longest
  }
}
