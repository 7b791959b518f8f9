import type { JsonObject, JsonValue } from '../../engine/json.js'
import { patternMatcher } from '../../engine/pattern/matcher.js'
import type { Kind } from '../../engine/tasks/task.js'
import { valueAt } from '../../engine/tasks/value-at.js'
import type { Bounds, FieldTest, TaskConditions } from '../model/conditions.js'
import type { RuleSource } from '../model/layer.js'
import { globMatcher } from './glob.js'

/** What conditions on a task look at. */
export interface TaskTraits {
  readonly model: string
  readonly kind: Kind
  /** The API key. */
  readonly key: string
  readonly input: JsonObject
}

/** What a rule looks at. */
export interface Candidate extends TaskTraits {
  /** Which time it is that this very model and input are asked for, from 1. */
  readonly occurrence: number
}

/** A rule that is ready to be tried. */
export interface Rule {
  readonly name: string
  readonly then: RuleSource['then']
  matches(candidate: Candidate): boolean
}

type Test = (traits: TaskTraits) => boolean

/** Prepares the rules of a scenario; a rule without a name is called by its place in the file. */
export function compileRules(sources: readonly RuleSource[]): Rule[] {
  return sources.map(({ name, when: { occurrence, ...conditions } = {}, then }, index) => {
    const isMeant = taskMatcher(conditions)
    const range = typeof occurrence === 'number' ? { min: occurrence, max: occurrence } : occurrence
    return {
      name: name ?? `rules[${index}]`,
      then,
      matches: (candidate) =>
        isMeant(candidate) && (range === undefined || within(range, candidate.occurrence)),
    }
  })
}

/** Prepares conditions on a task. */
export function taskMatcher({ model, kind, key, input = {} }: TaskConditions): Test {
  const tests: Test[] = []
  if (model !== undefined) {
    const matches = globMatcher(model)
    tests.push((traits) => matches(traits.model))
  }
  if (kind !== undefined) tests.push((traits) => traits.kind === kind)
  if (key !== undefined) {
    const matches = globMatcher(key)
    tests.push((traits) => matches(traits.key))
  }
  for (const [path, expected] of Object.entries(input)) {
    const holds = fieldMatcher(expected)
    tests.push((traits) => holds(valueAt(traits.input, path)))
  }
  return (traits) => tests.every((test) => test(traits))
}

function fieldMatcher(expected: FieldTest): (value: JsonValue | undefined) => boolean {
  if (typeof expected !== 'object' || expected === null) return (value) => value === expected
  if (expected.matches !== undefined) {
    const matches = patternMatcher(expected.matches, expected.ignore_case)
    return (value) => typeof value === 'string' && matches(value)
  }
  return (value) => typeof value === 'number' && within(expected, value)
}

function within(range: Bounds, value: number): boolean {
  return value >= (range.min ?? -Infinity) && value <= (range.max ?? Infinity)
}
