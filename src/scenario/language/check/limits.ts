import { isMapping } from '../schema/forms.js'

/** The longest text of a scenario, all files that it extends included, in characters. */
export const MOST_CHARACTERS = 100_000
/** How many values a scenario can hold: more than a text has without aliases. */
export const MOST_VALUES = 60_000
/** How deep mappings and lists can be nested. */
export const MOST_LEVELS = 100
/** How many scenarios can extend one another in a row. */
export const MOST_LAYERS = 100

const SIZE_FORM = `${inThousands(MOST_CHARACTERS)} characters`

/** The message about a text that is longer than the limit. */
export function tooLong(characters: number): string {
  return `it has ${inThousands(characters)} characters; a scenario has at most ${SIZE_FORM}, all that it extends included`
}

/** Explains why a value is too large for a scenario, or gives undefined. */
export function excessOf(value: unknown): string | undefined {
  return new Measure().excessOf(value, 0)
}

class Measure {
  #values = 0
  #characters = 0

  excessOf(value: unknown, level: number): string | undefined {
    this.#values += 1
    if (typeof value === 'string') this.#characters += value.length
    if (this.#values > MOST_VALUES)
      return `it holds more than ${inThousands(MOST_VALUES)} values, aliases written out; leave some out`
    if (this.#characters > MOST_CHARACTERS)
      return `its names and texts have more than ${SIZE_FORM}, aliases written out; leave some out`
    if (level > MOST_LEVELS) return `it is nested more than ${MOST_LEVELS} levels deep; write it flatter`
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
