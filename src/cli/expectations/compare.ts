import type { JsonObject, JsonValue } from '../../engine/json.js'
import { patternMatcher } from '../../engine/pattern/matcher.js'
import { PatternError } from '../../engine/pattern/parse-pattern.js'
import type { Bounds } from '../../engine/scenario/delay.js'

/** Describes the differences between a value and the expected value, one sentence each. */
export function differences(expected: JsonValue, actual: JsonValue | undefined, path: string): string[] {
  if (expected === null)
    return actual === undefined || actual === null ? [] : [difference(path, 'nothing', actual)]
  if (typeof expected === 'object' && typeof actual === 'object' && actual !== null) {
    return Object.entries(expected).flatMap(([name, inner]) =>
      differences(inner, (actual as JsonObject)[name], path === '' ? name : `${path}.${name}`),
    )
  }
  const pattern = typeof expected === 'string' ? /^\/(.*)\/$/.exec(expected)?.[1] : undefined
  if (pattern === undefined)
    return expected === actual ? [] : [difference(path, JSON.stringify(expected), actual)]
  return patternDifference(pattern, actual, path)
}

function patternDifference(pattern: string, actual: JsonValue | undefined, path: string): string[] {
  try {
    return patternMatcher(pattern)(String(actual))
      ? []
      : [difference(path, JSON.stringify(`/${pattern}/`), actual)]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return [`${path}: invalid pattern /${pattern}/: ${error.message}`]
  }
}

function difference(path: string, expected: string, actual: JsonValue | undefined): string {
  return `${path}: expected ${expected}, got ${JSON.stringify(actual) ?? 'nothing'}`
}

/** Describes the difference between two lists; empty if they are equal. */
export function compareLists(
  subject: string,
  expected: readonly unknown[] | undefined,
  actual: readonly unknown[],
): string[] {
  const [wanted, got] = [expected, actual].map((list) => list?.join(', ') || 'none')
  return expected === undefined || wanted === got ? [] : [`${subject}: expected ${wanted}, got ${got}`]
}

/** Describes the words, such as states or error codes, whose share is outside the expected range. */
export function compareShares(
  expected: Readonly<Record<string, Bounds | undefined>>,
  words: readonly unknown[],
): string[] {
  return Object.entries(expected).flatMap(([word, { min = 0, max = 1 } = {}]) => {
    const share = words.filter((actual) => actual === word).length / Math.max(1, words.length)
    return share >= min && share <= max ? [] : [`${word}: expected a share of ${min} to ${max}, got ${share}`]
  })
}
