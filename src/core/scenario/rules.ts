import type { JsonObject, JsonValue, Kind } from '../task/task.js'
import { globMatcher } from './glob.js'
import type { RuleSource } from './scenario.js'

/** What a rule looks at. */
export interface Candidate {
  readonly model: string
  readonly kind: Kind
  readonly input: JsonObject
  /** Which time it is that this very model and input are asked for, from 1. */
  readonly occurrence: number
}

/** A rule that is ready to be tried. */
export interface Rule {
  readonly name: string
  readonly then: RuleSource['then']
  matches(candidate: Candidate): boolean
}

type When = NonNullable<RuleSource['when']>
type FieldTest = NonNullable<When['input']>[string]
type Test = (candidate: Candidate) => boolean
interface Range {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** Prepares the rules of a scenario; a rule without a name is called by its place in the file. */
export function compileRules(sources: readonly RuleSource[]): Rule[] {
  return sources.map(({ name, when, then }, index) => {
    const tests = when === undefined ? [] : testsOf(when)
    return {
      name: name ?? `rules[${index}]`,
      then,
      matches: (candidate) => tests.every((test) => test(candidate)),
    }
  })
}

function testsOf(when: When): Test[] {
  const tests: Test[] = []
  const { model, kind, occurrence } = when
  if (model !== undefined) {
    const matches = globMatcher(model)
    tests.push((candidate) => matches(candidate.model))
  }
  if (kind !== undefined) tests.push((candidate) => candidate.kind === kind)
  for (const [path, expected] of Object.entries(when.input ?? {})) {
    const holds = fieldMatcher(expected)
    tests.push((candidate) => holds(valueAt(candidate.input, path)))
  }
  if (occurrence !== undefined) {
    const range = typeof occurrence === 'number' ? { min: occurrence, max: occurrence } : occurrence
    tests.push((candidate) => within(range, candidate.occurrence))
  }
  return tests
}

function fieldMatcher(expected: FieldTest): (value: JsonValue | undefined) => boolean {
  if (typeof expected !== 'object' || expected === null) return (value) => value === expected
  if (expected.matches !== undefined) {
    const expression = new RegExp(expected.matches, expected.ignore_case ? 'iu' : 'u')
    return (value) => typeof value === 'string' && expression.test(value)
  }
  return (value) => typeof value === 'number' && within(expected, value)
}

function within(range: Range, value: number): boolean {
  return value >= (range.min ?? -Infinity) && value <= (range.max ?? Infinity)
}

/** The value under a field's name, or under a path of names and indexes with dots. */
function valueAt(input: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(input, path)) return input[path]
  let value: JsonValue | undefined = input
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as JsonObject)[name]
  }
  return value
}
