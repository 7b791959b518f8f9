import type { Program } from './program.js'

/** Characters that a pattern cannot tell apart. */
export interface Letter {
  /** Numbers the letters of an alphabet. */
  readonly id: number
  /** The parts of the pattern that match the character, by their text. */
  readonly parts: ReadonlySet<string>
  readonly isWord: boolean
}

/** Stands after the last character of a text. */
export const END: Letter = { id: 0, parts: new Set(), isWord: false }

const ASCII = 128
const MOST_REMEMBERED = 5_000

/**
 * Divides characters into those that a pattern tells apart. The regular expressions of JavaScript decide about
 * each single character, so classes, Unicode properties and letter case mean what they mean there.
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
    return known ?? this.#learn(code)
  }

  #learn(code: number): Letter {
    const character = String.fromCodePoint(code)
    const parts = [...this.#parts].filter(([, part]) => part.test(character)).map(([raw]) => raw)
    const isWord = this.#word?.test(character) ?? false
    const key = `${isWord} ${parts.join(' ')}`
    const letter = this.#letters.get(key) ?? { id: this.#letters.size + 1, parts: new Set(parts), isWord }
    this.#letters.set(key, letter)
    if (code < ASCII) this.#ascii[code] = letter
    else this.#remember(code, letter)
    return letter
  }

  #remember(code: number, letter: Letter): void {
    if (this.#others.size >= MOST_REMEMBERED) this.#others = new Map()
    this.#others.set(code, letter)
  }
}
