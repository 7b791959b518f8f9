import { isMapping } from '../mapping.js'

/** The largest number of characters in a scenario, including the scenarios that it extends. */
export const MAX_CHARACTERS = 100_000
/** The largest number of values. A text without aliases cannot exceed it. */
export const MAX_VALUES = 60_000
/** The largest number of nested mappings and lists. */
export const MAX_LEVELS = 100
/** The largest number of scenarios in a chain of `extends`. */
export const MAX_LAYERS = 100

const SIZE_FORM = `${inThousands(MAX_CHARACTERS)} characters`

/** The message for a text that is too long. */
export function tooLong(characters: number, noun = 'scenario'): string {
  const whole = noun === 'scenario' ? 'a scenario and the scenarios that it extends' : `a ${noun}`
  return `the text has ${inThousands(characters)} characters; ${whole} may have ${SIZE_FORM} in total`
}

/** Explains why a value is too large for a scenario. Returns undefined if it is not. */
export function excessOf(value: unknown, noun = 'scenario'): string | undefined {
  return new Measure(noun).excessOf(value, 0)
}

class Measure {
  readonly #noun: string
  #values = 0
  #characters = 0

  constructor(noun: string) {
    this.#noun = noun
  }

  excessOf(value: unknown, level: number): string | undefined {
    this.#values += 1
    if (typeof value === 'string') this.#characters += value.length
    if (this.#values > MAX_VALUES)
      return `the ${this.#noun} has more than ${inThousands(MAX_VALUES)} values after the expansion of aliases; remove some`
    if (this.#characters > MAX_CHARACTERS)
      return `the names and texts have more than ${SIZE_FORM} after the expansion of aliases; remove some`
    if (level > MAX_LEVELS) return `the nesting is deeper than ${MAX_LEVELS} levels; reduce it`
    if (Array.isArray(value)) return this.#excessIn(value, level)
    if (!isMapping(value)) return undefined
    const names = Object.keys(value)
    for (const name of names) this.#characters += name.length
    return this.#excessIn(Object.values(value), level)
  }

  #excessIn(values: readonly unknown[], level: number): string | undefined {
    for (const value of values) {
      const excess = this.excessOf(value, level + 1)
      if (excess !== undefined) return excess
    }
    return undefined
  }
}

function inThousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
