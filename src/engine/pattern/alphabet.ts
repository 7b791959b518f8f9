import type { Program } from './program.js'

/** A class of characters that a pattern does not distinguish. */
export interface Letter {
  /** The number of the letter in its alphabet. */
  readonly id: number
  /** The parts of the pattern that match the characters. */
  readonly parts: ReadonlySet<string>
  readonly isWord: boolean
}

/** The letter after the last character of a text. */
export const END: Letter = { id: 0, parts: new Set(), isWord: false }

const ASCII = 128
const MAX_CACHED = 5_000

/**
 * Maps characters to letters. It tests single characters with JavaScript's regular expressions, so classes, Unicode
 * properties and letter case have the same meaning as in JavaScript.
 */
export class Alphabet {
  readonly #parts: ReadonlyMap<string, RegExp>
  readonly #word: RegExp | undefined
  readonly #letters = new Map<string, Letter>()
  readonly #ascii: (Letter | undefined)[] = new Array(ASCII).fill(undefined)
  #others = new Map<number, Letter>()

  constructor({ instructions }: Program, flags: string) {
    const raws = instructions.flatMap((each) => (each.type === 'read' ? [each.raw] : []))
    this.#parts = new Map(raws.map((raw) => [raw, new RegExp(`^${raw}$`, flags)]))
    const hasWords = instructions.some((each) => each.type === 'check' && each.of.startsWith('\\'))
    this.#word = hasWords ? new RegExp('^\\w$', flags) : undefined
  }

  letter(code: number): Letter {
    const known = code < ASCII ? this.#ascii[code] : this.#others.get(code)
    return known ?? this.#classify(code)
  }

  #classify(code: number): Letter {
    const character = String.fromCodePoint(code)
    const parts = [...this.#parts].filter(([, part]) => part.test(character)).map(([raw]) => raw)
    const isWord = this.#word?.test(character) ?? false
    const key = `${isWord} ${parts.join(' ')}`
    const letter = this.#letters.get(key) ?? { id: this.#letters.size + 1, parts: new Set(parts), isWord }
    this.#letters.set(key, letter)
    if (code < ASCII) this.#ascii[code] = letter
    else this.#cache(code, letter)
    return letter
  }

  #cache(code: number, letter: Letter): void {
    if (this.#others.size >= MAX_CACHED) this.#others = new Map()
    this.#others.set(code, letter)
  }
}
