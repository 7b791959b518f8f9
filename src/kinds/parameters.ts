import type { Bounds, Range } from '../engine/assets/media-spec.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import { list } from '../engine/suggest.js'
import { InputError } from '../engine/tasks/kinds.js'

/** A parameter of an input. */
export interface Parameter {
  readonly name: string
  readonly value: JsonValue
}

/** Reads the parameters of an input. Null counts as missing. */
export class Parameters {
  readonly #input: JsonObject
  readonly #lenient: boolean

  /** @param lenient whether invalid values are replaced instead of rejected */
  constructor(input: JsonObject, lenient: boolean) {
    this.#input = input
    this.#lenient = lenient
  }

  /** Finds the first parameter with one of these names. */
  find(...names: readonly string[]): Parameter | undefined {
    for (const name of names) {
      const value = Object.hasOwn(this.#input, name) ? this.#input[name] : undefined
      if (value !== undefined && value !== null) return { name, value }
    }
    return undefined
  }

  /**
   * Rejects a parameter, or replaces it if the model is lenient.
   * @param expected the allowed values, worded to follow "must be"
   * @throws InputError if the model is not lenient
   */
  reject<Value>({ name, value }: Parameter, expected: string, replacement: Value): Value {
    if (this.#lenient) return replacement
    throw new InputError(`input.${name}`, value, expected)
  }

  /** Reads a whole number in a range. */
  integer(given: Parameter | undefined, range: Range, fallback: number, noun = 'a whole number'): number {
    if (given === undefined) return clamp(fallback, range)
    const { value } = given
    if (Number.isInteger(value) && isWithin(Number(value), range)) return Number(value)
    const nearest = typeof value === 'number' ? clamp(Math.round(value), range) : clamp(fallback, range)
    return this.reject(given, `${noun} from ${range.min} to ${range.max}`, nearest)
  }

  /** Reads a duration in seconds, rounded to milliseconds: a number, or a text such as "8" or "8s". */
  seconds(given: Parameter | undefined, range: Range, fallback: number): number {
    if (given === undefined) return clamp(fallback, range)
    const seconds = secondsOf(given.value)
    if (isWithin(seconds, range)) return Math.round(seconds * 1_000) / 1_000
    return this.reject(
      given,
      `a number of seconds from ${range.min} to ${range.max}`,
      Number.isNaN(seconds) ? clamp(fallback, range) : clamp(seconds, range),
    )
  }

  /**
   * Reads one of several words, ignoring case.
   * @param normalize maps aliases to words
   * @param nearestTo the word that replaces another one for a lenient model; the fallback by default
   */
  choice<Word extends string>(
    given: Parameter | undefined,
    words: readonly Word[],
    fallback: Word,
    normalize: (text: string) => string = (text) => text,
    nearestTo: (text: string, words: readonly Word[]) => Word | undefined = () => undefined,
  ): Word {
    if (given === undefined) return fallback
    const normalized = normalize(lowerCaseWord(given.value))
    const word = words.find((each) => each === normalized)
    return word ?? this.reject(given, list(words), nearestTo(normalized, words) ?? fallback)
  }
}

/** Fills in missing bounds from the default range. */
export function completeRange(bounds: Bounds = {}, defaults: Range): Range {
  const {
    min = Math.min(defaults.min, bounds.max ?? Infinity),
    max = Math.max(defaults.max, bounds.min ?? 0),
  } = bounds
  return { min, max }
}

/** The nearest number in a range. */
export function clamp(value: number, { min, max }: Range): number {
  return Math.min(Math.max(value, min), max)
}

export function isWithin(value: number, { min, max }: Range): boolean {
  return value >= min && value <= max
}

const SECONDS = /^\d{1,9}(?:\.\d{1,9})?s?$/

function secondsOf(value: JsonValue): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && SECONDS.test(value) ? Number.parseFloat(value) : Number.NaN
}

/** The formats that a model supports, and the default one. */
export function formatsOf<Format extends string>(
  all: readonly [Format, ...Format[]],
  allowed: readonly string[] | undefined,
): { readonly words: readonly Format[]; readonly fallback: Format } {
  const words = allowed === undefined ? all : all.filter((format) => allowed.includes(format))
  const [first] = all
  return { words, fallback: words.includes(first) ? first : (words[0] ?? first) }
}

/** In characters. No known word is longer, so longer texts are not converted. */
const MAX_WORD_LENGTH = 100

/** A text in lower case; empty for a longer text or any other value. */
export function lowerCaseWord(value: JsonValue): string {
  return typeof value === 'string' && value.length <= MAX_WORD_LENGTH ? value.toLowerCase() : ''
}
