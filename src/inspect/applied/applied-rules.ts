import { mask, maskUrl } from '../../engine/mask.js'
import { oncePer } from '../../engine/recent.js'
import { FAULT_WORDS } from '../../engine/requests/fault.js'
import {
  type FaultSource,
  type RuleSource,
  ruleNames,
  type WebhookFaultSource,
} from '../../engine/scenario/rules.js'
import type { ScenarioSettings } from '../../engine/scenario/scenario.js'
import { maskPatterns } from '../../engine/secret-patterns.js'
import { WEBHOOK_FAULT_WORDS } from '../../engine/webhooks/faults/webhook-fault.js'
import { type ApplicationCounters, RULE_LISTS, type RuleList } from './application-counters.js'

const MAX_DEFINITION_LENGTH = 200

/** A rule or fault of a scenario, and how often it has applied. */
export interface AppliedRule {
  /** The list of the scenario that contains it. */
  readonly list: RuleList
  /** Its name or, without one, its path in the scenario, such as `faults[0]`. */
  readonly name: string
  /** The start of its effect and its conditions in the words of a scenario file, without what looks like a secret. */
  readonly definition: string
  /** The scenario that defines it: the active one, or one that the active one extends. */
  readonly scenario: string
  /** Its line in the text of that scenario, if there is one. */
  readonly line?: number | undefined
  /** Whether the active scenario only extends the one that defines it. */
  readonly isInherited: boolean
  /** Whether tasksim ships the scenario that defines it. */
  readonly isShipped: boolean
  /** How often it has applied since the scenario became active. */
  readonly count: number
}

/** The rules and faults of a scenario in the order of the file, and how often each has applied. */
export function appliedRules(
  { sources, rules, faults, webhooks }: ScenarioSettings,
  counters: ApplicationCounters,
): AppliedRule[] {
  const lists = { rules, faults, 'webhooks.faults': webhooks.faults }
  return RULE_LISTS.flatMap((list) => {
    // Each list starts with the entries of the active scenario.
    const origins = sources.flatMap((source, depth) =>
      Array.from({ length: source.lengths[list] }, (_, index) => {
        return { source, isInherited: depth > 0, line: source.lines?.[list][index] }
      }),
    )
    const names = ruleNames(lists[list], list)
    return definitionsOf[list](lists[list]).map((definition, index): AppliedRule => {
      const { source, line, isInherited } = origins[index] ?? { source: sources[0], isInherited: false }
      const name = names[index] ?? ''
      return {
        list,
        name,
        definition,
        scenario: source?.name ?? '',
        ...(line !== undefined && { line }),
        isInherited,
        isShipped: source?.isShipped ?? false,
        count: counters.of(list, name),
      }
    })
  })
}

type Source = RuleSource | FaultSource | WebhookFaultSource

const definitionsOf = {
  rules: describerOf('rules'),
  faults: describerOf('faults'),
  'webhooks.faults': describerOf('webhooks.faults'),
}

function describerOf(list: RuleList) {
  return oncePer((sources: readonly Source[]) => sources.map((source) => definitionOf(source, list)))
}

function definitionOf({ when, then }: Source, list: RuleList): string {
  const json = JSON.stringify({ when, then }, (name, value: unknown) => {
    if (typeof value !== 'string') return value
    // The pattern of several keys is not a secret.
    if (name === 'key' && !value.includes('*')) return mask(value)
    return maskUrl(maskPatterns(value))
  })
  const text = describeDefinition(JSON.parse(json), list)
  return text.length > MAX_DEFINITION_LENGTH ? `${text.slice(0, MAX_DEFINITION_LENGTH)}...` : text
}

/** Adds up the counts of runs with several scenarios. Equal rules of two runs count as one. */
export function joinApplied(runs: readonly (readonly AppliedRule[])[]): AppliedRule[] {
  const joined = new Map<string, AppliedRule>()
  for (const run of runs) {
    const copies = new Map<string, number>()
    for (const rule of run) {
      const definition = `${rule.list} ${rule.definition}`
      const copy = (copies.get(definition) ?? 0) + 1
      copies.set(definition, copy)
      const key = `${copy} ${definition}`
      joined.set(key, { ...rule, count: rule.count + (joined.get(key)?.count ?? 0) })
    }
  }
  return [...joined.values()]
}

/** A rule or fault of a scenario: its conditions and its effect. */
interface Definition {
  readonly when?: object | undefined
  readonly then?: unknown
}

const EVERY: Readonly<Record<RuleList, string>> = {
  rules: 'every task',
  faults: 'every request',
  'webhooks.faults': 'every webhook',
}

const WORDS: Readonly<Record<RuleList, object>> = {
  rules: {},
  faults: FAULT_WORDS,
  'webhooks.faults': WEBHOOK_FAULT_WORDS,
}

/** The fields whose numbers are milliseconds, at any depth. */
const DURATIONS: ReadonlySet<string> = new Set(['delay', 'queueing', 'retry_after', 'window'])

/** Their fields whose numbers are none. */
const PLAIN: ReadonlySet<string> = new Set(['polls', 'mu', 'sigma'])

/**
 * Describes a rule or fault in the words of a scenario file, such as `503 for tasks.retrieve, nth 2`.
 * @param list the list that contains it
 */
function describeDefinition({ when = {}, then }: Definition, list: RuleList): string {
  const steps = [then].flat().map((step) => effectOf(step, WORDS[list]))
  const { operation, ...others } = when as { readonly operation?: unknown }
  const operations = operation === undefined ? [] : [[operation].flat().join(' or ')]
  const conditions = [...operations, ...fieldsOf(others)]
  return `${steps.join(', then ')} for ${conditions.length === 0 ? EVERY[list] : conditions.join(', ')}`
}

/** The word or the status of a fault, if it has one, or else its fields. */
function effectOf(step: unknown, words: object): string {
  if (typeof step !== 'object' || step === null) return String(step)
  const text = JSON.stringify(step)
  const word = Object.entries(words).find(([, meaning]) => JSON.stringify(meaning) === text)?.[0]
  if (word !== undefined) return word
  const { status, ...fields } = step as { readonly status?: unknown }
  return [...(status === undefined ? [] : [String(status)]), ...fieldsOf(fields)].join(', ')
}

/** The fields of a mapping with their values, such as `model acme/*` and `input.prompt matches waves`. */
function fieldsOf(mapping: object, path = '', isDuration = false): string[] {
  return Object.entries(mapping).flatMap(([name, value]): string[] => {
    if (value === undefined) return []
    const field = path === '' ? name : `${path}.${name}`
    const inMilliseconds = (isDuration || DURATIONS.has(name)) && !PLAIN.has(name)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return fieldsOf(value, field, inMilliseconds)
    return [`${field} ${typeof value === 'number' && inMilliseconds ? durationOf(value) : textOf(value)}`]
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function durationOf(milliseconds: number): string {
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`
}

/** The rules and faults that never applied and that are worth mentioning. */
interface NeverApplied {
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
