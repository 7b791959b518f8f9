import type { AppliedRule } from './applied-rules.js'

/** The rules and faults that never applied and that are worth mentioning. */
export interface NeverApplied {
  /** Those of the active scenario. */
  readonly own: readonly AppliedRule[]
  /** The inherited scenarios of which nothing has applied. A base serves many tests, so no test needs all of it. */
  readonly bases: readonly string[]
}

/** Finds the rules and faults that never applied. */
export function neverApplied(rules: readonly AppliedRule[]): NeverApplied {
  const unused = rules.filter(({ count }) => count === 0)
  return {
    own: unused.filter(({ isInherited }) => !isInherited),
    bases: [
      ...new Set(
        ofUnusedScenarios(rules.filter(({ isInherited }) => isInherited)).map(({ scenario }) => scenario),
      ),
    ],
  }
}

/**
 * The rules and faults without which a test tests nothing: those of the active scenario that never applied. A shipped
 * scenario offers several, so of each shipped one, something must have applied. The same holds for what a scenario
 * without own rules extends.
 */
export function missingRules(rules: readonly AppliedRule[]): readonly AppliedRule[] {
  const own = rules.filter(({ isInherited }) => !isInherited)
  if (own.length === 0) return rules.some(({ count }) => count > 0) ? [] : rules
  return [
    ...own.filter(({ isShipped, count }) => !isShipped && count === 0),
    ...ofUnusedScenarios(own.filter(({ isShipped }) => isShipped)),
  ]
}

/** The rules of the scenarios of which no rule has applied. */
function ofUnusedScenarios(rules: readonly AppliedRule[]): AppliedRule[] {
  const used = new Set(rules.filter(({ count }) => count > 0).map(({ scenario }) => scenario))
  return rules.filter(({ scenario }) => !used.has(scenario))
}

/** A rule in one line: its name and its place; without a name of its own, also what it does. */
export function describeRule({ name, scenario, line, definition }: AppliedRule): string {
  const isNameless = /\[\d+\]$/.test(name)
  const position = line === undefined ? scenario : `${scenario}:${line}`
  return `${name} of ${position}${isNameless ? `: ${definition}` : ''}`
}
