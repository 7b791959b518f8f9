import { type Assertion, parsePattern } from './parse-pattern.js'
import { compileProgram, type Program } from './program.js'

/**
 * Prepares a JavaScript regular expression with the flag `u` for texts from clients. JavaScript's own engine
 * backtracks, so some texts take exponential time. This matcher follows all alternatives at once, in linear time.
 * @returns a function that searches a text for the pattern
 * @throws PatternError if the pattern is not valid, or if it could take more than linear time
 */
export function patternMatcher(pattern: string, ignoreCase = false): (text: string) => boolean {
  const program = compileProgram(parsePattern(pattern))
  let search: Search | undefined
  return (text) => {
    search ??= new Search(program, new Alphabet(program, ignoreCase ? 'iu' : 'u'))
    return search.finds(text)
  }
}

/** The largest number of characters to search. */
const MAX_SEARCHED = 1_000_000

/** The maximum of characters times instructions, which limits the work of large patterns. */
const MAX_WORK = 10_000_000

/** The maximum number of cached states, which limits the memory. */
const MAX_STATES = 500

/** The state of a search between two characters: the instructions that it may have reached. */
interface State {
  readonly indexes: readonly number[]
  readonly before: 'nothing' | 'word' | 'other'
  /** A cache of the next state, by the id of the letter. */
  readonly next: (State | undefined)[]
}

const FOUND: State = { indexes: [], before: 'other', next: [] }

class Search {
  readonly #instructions: Program['instructions']
  readonly #alphabet: Alphabet
  readonly #maxLength: number
  readonly #start: State
  /** The instructions that can start a match after the start of the text: none for a pattern that starts with `^`. */
  readonly #restart: readonly number[]
  /** The last round that visited each instruction, so that no round visits an instruction twice. */
  readonly #visited: Float64Array
  #round = 0
  #states = new Map<string, State>()

  constructor({ instructions, start }: Program, alphabet: Alphabet) {
    this.#instructions = instructions
    this.#alphabet = alphabet
    this.#maxLength = Math.min(MAX_SEARCHED, Math.floor(MAX_WORK / instructions.length))
    this.#start = { indexes: [start], before: 'nothing', next: [] }
    this.#visited = new Float64Array(instructions.length)
    const isLater = (assertion: Assertion) => assertion !== '^'
    this.#restart = this.#reachable([start], isLater).length === 0 ? [] : [start]
  }

  finds(text: string): boolean {
    if (this.#states.size >= MAX_STATES) this.#clearCache()
    let state = this.#start
    let index = 0
    while (index < text.length && index <= this.#maxLength) {
      const code = text.codePointAt(index) as number
      index += code > 0xffff ? 2 : 1
      state = this.#after(state, this.#alphabet.letter(code))
      if (state === FOUND) return true
      if (state.indexes.length === 0) return false
    }
    return index >= text.length && this.#after(state, END) === FOUND
  }

  #after(state: State, letter: Letter): State {
    const known = state.next[letter.id]
    if (known !== undefined) return known
    const next = this.#step(state, letter)
    if (this.#states.size < MAX_STATES) state.next[letter.id] = next
    return next
  }

  #step({ indexes, before }: State, letter: Letter): State {
    const isBoundary = (before === 'word') !== letter.isWord
    const reached = this.#reachable(indexes, (assertion) => {
      if (assertion === '^') return before === 'nothing'
      if (assertion === '$') return letter === END
      return isBoundary === (assertion === '\\b')
    })
    const next = [...this.#restart]
    const round = this.#nextRound(next)
    for (const index of reached) {
      const instruction = this.#instructions[index]
      if (instruction?.type === 'found') return FOUND
      if (instruction?.type !== 'read' || this.#visited[instruction.next] === round) continue
      if (!letter.parts.has(instruction.raw)) continue
      this.#visited[instruction.next] = round
      next.push(instruction.next)
    }
    return this.#state(next, letter.isWord ? 'word' : 'other')
  }

  #state(indexes: readonly number[], before: State['before']): State {
    const created = { indexes, before, next: [] }
    if (this.#states.size >= MAX_STATES) return created
    const key = `${before} ${indexes.join()}`
    const state = this.#states.get(key) ?? created
    this.#states.set(key, state)
    return state
  }

  #clearCache(): void {
    this.#states = new Map()
    this.#start.next.length = 0
  }

  /** Returns the reading and accepting instructions that can be reached without reading a character. */
  #reachable(from: readonly number[], holds: (assertion: Assertion) => boolean): number[] {
    const round = this.#nextRound([])
    const found: number[] = []
    const pending = [...from].reverse()
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (this.#visited[index] === round) continue
      this.#visited[index] = round
      const instruction = this.#instructions[index]
      if (instruction?.type === 'fork') pending.push(instruction.other, instruction.next)
      else if (instruction?.type !== 'check') found.push(index)
      else if (holds(instruction.of)) pending.push(instruction.next)
    }
    return found
  }

  #nextRound(visited: readonly number[]): number {
    this.#round += 1
    for (const index of visited) this.#visited[index] = this.#round
    return this.#round
  }
}

/** A class of characters that a pattern does not distinguish. */
interface Letter {
  /** The number of the letter in its alphabet. */
  readonly id: number
  /** The parts of the pattern that match the characters. */
  readonly parts: ReadonlySet<string>
  readonly isWord: boolean
}

/** The letter after the last character of a text. */
const END: Letter = { id: 0, parts: new Set(), isWord: false }
const ASCII = 128
const MAX_CACHED = 5_000

/**
 * Maps characters to letters. It tests single characters with JavaScript's regular expressions, so classes, Unicode
 * properties and letter case have the same meaning as in JavaScript.
 */
class Alphabet {
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
