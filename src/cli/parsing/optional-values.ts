import { ALL_SERVICES } from '../options/intercept-options.js'

/** The options whose value may be left out, and the value that they then have. */
const OPTIONAL_VALUES: ReadonlyMap<string, string> = new Map([['--intercept', ALL_SERVICES]])

/**
 * Adds the values that were left out. yargs would take the next word for the value; here, an option has the value that
 * follows its `=`, and the next word is the scenario.
 */
export function withOptionalValues(words: readonly string[]): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  return words.map((word, index) => {
    const value = index < end ? OPTIONAL_VALUES.get(word) : undefined
    return value === undefined ? word : `${word}=${value}`
  })
}
