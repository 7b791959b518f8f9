import { type JsonObject, type JsonValue, valueAt } from '../json.js'
import { patternMatcher } from '../pattern/matcher.js'
import type { Step } from '../requests/fault.js'
import type { OperationName, SERVICE_METHODS } from '../requests/operations.js'
import type { Kind, Outcome, Status, TaskError } from '../tasks/task.js'
import type { EventName } from '../webhooks/events/task-event.js'
import type { WebhookFault } from '../webhooks/faults/webhook-fault.js'
import type { Behavior } from './behavior.js'
import type { FieldTest, FrequencyConditions, TaskConditions } from './conditions.js'
import type { Bounds } from './delay.js'
import { globMatcher } from './glob.js'

/** The properties of a task that conditions test. */
export interface TaskTraits {
  readonly model: string
  readonly kind: Kind
  /** The name of its wire format. */
  readonly dialect: string
  /** The API key. */
  readonly key: string
  readonly input: JsonObject
}

/** A new task that rules may match. */
export interface Candidate extends TaskTraits {
  /** The number of tasks with this model and input so far, including this one. */
  readonly occurrence: number
}

/** A prepared rule. */
export interface Rule {
  readonly name: string
  readonly then: RuleSource['then']
  matches(candidate: Candidate): boolean
}

type Test = (traits: TaskTraits) => boolean

/** Prepares the rules of a scenario. */
export function compileRules(sources: readonly RuleSource[]): Rule[] {
  const names = ruleNames(sources, 'rules')
  return sources.map(({ when: { occurrence, ...conditions } = {}, then }, index) => {
    const matchesTask = taskMatcher(conditions)
    const bounds = typeof occurrence === 'number' ? { min: occurrence, max: occurrence } : occurrence
    return {
      name: names[index] ?? '',
      then,
      matches: (candidate) =>
        matchesTask(candidate) && (bounds === undefined || isWithin(bounds, candidate.occurrence)),
    }
  })
}

/**
 * Returns a distinct name for each rule of a list, because the name of a rule seeds its random values and identifies
 * it in reports. A rule without a name gets its path in the file; a repeated name gets a number.
 */
export function ruleNames(rules: readonly { readonly name?: string | undefined }[], list: string): string[] {
  const counts = new Map<string, number>()
  return rules.map(({ name = '' }, index) => {
    if (name === '') return `${list}[${index}]`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

/** Prepares conditions on a task. */
export function taskMatcher({ model, kind, dialect, key, input = {} }: TaskConditions): Test {
  const tests: Test[] = []
  if (model !== undefined) {
    const matches = globMatcher(model)
    tests.push((traits) => matches(traits.model))
  }
  if (kind !== undefined) tests.push((traits) => traits.kind === kind)
  if (dialect !== undefined) tests.push((traits) => traits.dialect === dialect)
  if (key !== undefined) {
    const matches = globMatcher(key)
    tests.push((traits) => matches(traits.key))
  }
  for (const [path, expected] of Object.entries(input)) {
    const matches = fieldMatcher(expected)
    tests.push((traits) => matches(valueAt(traits.input, path)))
  }
  return (traits) => tests.every((test) => test(traits))
}

function fieldMatcher(expected: FieldTest): (value: JsonValue | undefined) => boolean {
  if (typeof expected !== 'object' || expected === null) return (value) => value === expected
  if (expected.matches !== undefined) {
    const matches = patternMatcher(expected.matches, expected.ignore_case)
    return (value) => typeof value === 'string' && matches(value)
  }
  return (value) => typeof value === 'number' && isWithin(expected, value)
}

function isWithin({ min = -Infinity, max = Infinity }: Bounds, value: number): boolean {
  return value >= min && value <= max
}

/** A rule as a scenario file defines it. */
export interface RuleSource {
  readonly name?: string | undefined
  readonly when?: (TaskConditions & { readonly occurrence?: number | Bounds | undefined }) | undefined
  readonly then: Behavior & {
    readonly outcome?: Outcome | undefined
    readonly error?: TaskError | undefined
  }
}

interface RequestConditions extends TaskConditions, FrequencyConditions {
  readonly operation?: OperationName | readonly OperationName[] | undefined
  readonly method?: (typeof SERVICE_METHODS)[number] | undefined
  /** The status of the task before the request. */
  readonly task_status?: Status | undefined
}

/** A fault rule as a scenario file defines it. A list of faults applies one fault to each matching request. */
export interface FaultSource {
  readonly name?: string | undefined
  readonly when?: RequestConditions | undefined
  readonly then: Step | readonly Step[]
}

interface DeliveryConditions extends TaskConditions, FrequencyConditions {
  readonly receiver?: string | undefined
  readonly event?: EventName | undefined
}

/** A webhook fault rule as a scenario file defines it. */
export interface WebhookFaultSource {
  readonly name?: string | undefined
  readonly when?: DeliveryConditions | undefined
  readonly then: WebhookFault
}
