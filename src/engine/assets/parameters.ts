import type { JsonObject, JsonValue } from '../json.js'
import { list } from '../suggest.js'
import { InputError } from './input-error.js'
import type { Range } from './limits.js'
import { wordIn } from './word.js'

/** A parameter that an input has, under one of the names that go for it. */
export interface Given {
  readonly name: string
  readonly value: JsonValue
}

/** Reads the parameters of an input; one that is null counts as not given. */
export class Parameters {
  readonly #input: JsonObject
  readonly #lenient: boolean

  /** @param lenient whether what is wrong is replaced instead of being refused */
  constructor(input: JsonObject, lenient: boolean) {
    this.#input = input
    this.#lenient = lenient
  }

  /** The first of these parameters that is given. */
  find(...names: readonly string[]): Given | undefined {
    for (const name of names) {
      const value = Object.hasOwn(this.#input, name) ? this.#input[name] : undefined
      if (value !== undefined && value !== null) return { name, value }
    }
    return undefined
  }

  /**
   * Says that a parameter is wrong.
   * @param expected what it may be, to follow on "must be"
   * @returns what a lenient model takes instead
   * @throws InputError where the model is not lenient
   */
  refuse<Value>({ name, value }: Given, expected: string, instead: Value): Value {
    if (this.#lenient) return instead
    throw new InputError(`input.${name}`, value, expected)
  }

  /** A whole number in a range. */
  whole(given: Given | undefined, range: Range, usual: number, noun = 'a whole number'): number {
    if (given === undefined) return clamp(usual, range)
    const { value } = given
    if (Number.isInteger(value) && isWithin(Number(value), range)) return Number(value)
    const nearest = typeof value === 'number' ? clamp(Math.round(value), range) : clamp(usual, range)
    return this.refuse(given, `${noun} from ${range.min} to ${range.max}`, nearest)
  }

  /** A duration in seconds, to the millisecond: a number, or a text such as "8" or "8s". */
  seconds(given: Given | undefined, range: Range, usual: number): number {
    if (given === undefined) return clamp(usual, range)
    const seconds = secondsOf(given.value)
    if (isWithin(seconds, range)) return Math.round(seconds * 1_000) / 1_000
    return this.refuse(
      given,
      `a number of seconds from ${range.min} to ${range.max}`,
      Number.isNaN(seconds) ? clamp(usual, range) : clamp(seconds, range),
    )
  }

  /**
   * One of some words, in whatever case.
   * @param read gives the word that is meant, for words that have other names as well
   */
  word<Word extends string>(
    given: Given | undefined,
    words: readonly Word[],
    usual: Word,
    read: (text: string) => string = (text) => text,
  ): Word {
    if (given === undefined) return usual
    const said = read(wordIn(given.value))
    return words.find((word) => word === said) ?? this.refuse(given, list(words), usual)
  }
}

/** The number of a range that is nearest. */
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

/** The formats that a model's limits leave of its kind's, and the usual one of them. */
export function formatsOf<Format extends string>(
  all: readonly [Format, ...Format[]],
  allowed: readonly string[] | undefined,
): { readonly words: readonly Format[]; readonly usual: Format } {
  const words = allowed === undefined ? all : all.filter((format) => allowed.includes(format))
  const [first] = all
  return { words, usual: words.includes(first) ? first : (words[0] ?? first) }
}
