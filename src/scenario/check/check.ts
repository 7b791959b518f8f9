import type * as v from 'valibot'
import { maskUrl } from '../../engine/mask.js'
import { list, nearest } from '../../engine/suggest.js'
import { isMapping } from '../mapping.js'
import type { ScenarioLayer } from '../scenario.js'
import { type CheckConfig, type Issue, isMissing, isUnknown } from '../schema/forms.js'
import { scenarioSchema } from '../schema/scenario.js'
import type { Yaml } from '../yaml/read-yaml.js'
import { formatPath, MAX_MISTAKES, type Mistake, ScenarioError } from './mistake.js'
import { type Checked, missingFields, unknownField, withoutMisspelled } from './unknown-field.js'
import { kindsKnownTo, unknownKinds } from './unknown-kinds.js'

/** A mistake in a value, without its position in the text. */
export interface Flaw {
  readonly path: readonly PropertyKey[]
  /** True if the name of the field is wrong, not its value. */
  readonly atKey: boolean
  /** Computed on first access, because an error shows only the first of many mistakes. */
  readonly message: string
}

const FIELDS = Object.keys(scenarioSchema.entries)

/**
 * Checks one layer and returns it, or all its mistakes.
 * @param isPart whether another layer may define kinds for it, so that its kinds are checked later
 * @param isConverted whether it was checked before, as a saved layer was
 */
export function checkLayer(
  value: unknown,
  isPart = isMapping(value) && value['extends'] !== undefined,
  isConverted = false,
): { layer: ScenarioLayer } | { flaws: Flaw[] } {
  if (!isMapping(value)) {
    const message = `got ${nounOf(value)}; expected a mapping with ${list(FIELDS)}`
    return { flaws: [{ path: [], atKey: false, message }] }
  }
  const result = checkValue(scenarioSchema, value, isConverted)
  const unknown = isPart ? [] : unknownKinds(value, kindsKnownTo(value))
  if ('flaws' in result) return { flaws: [...result.flaws, ...unknown] }
  return unknown.length > 0 ? { flaws: unknown } : { layer: result.value }
}

/** The largest edit distance between a misspelled field and its name. */
const MAX_EDITS = 2

/** Whether a value looks like a scenario: an empty mapping, or one with a field of a scenario, perhaps misspelled. */
export function isScenarioLike(value: unknown): boolean {
  if (!isMapping(value)) return false
  const names = Object.keys(value)
  return names.length === 0 || names.some((name) => nearest(name, FIELDS, MAX_EDITS) !== undefined)
}

/**
 * Checks a value against a part of the schema.
 * @param isConverted whether it was checked before, so that it is not converted again
 */
export function checkValue<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  isConverted = false,
): { value: v.InferOutput<Schema> } | { flaws: Flaw[] } {
  const forbidden = prototypeFields(value, [])
  if (forbidden.length > 0) return { flaws: forbidden }
  const config: CheckConfig = { abortPipeEarly: true, isConverted }
  // `v.safeParse` would not pass on `isConverted`.
  const { issues, value: output } = schema['~run']({ value }, config)
  if (issues === undefined) return { value: output as v.InferOutput<Schema> }
  const missing = missingFields(issues)
  return {
    flaws: withoutMisspelled(issues, missing).map(
      (issue) => new IssueFlaw(issue, { schema, root: value, missing }),
    ),
  }
}

/** JavaScript drops a field with this name when it copies an object, so the setting would have no effect. */
const PROTOTYPE = '__proto__'

function prototypeFields(value: unknown, path: readonly PropertyKey[]): Flaw[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    if (key === PROTOTYPE)
      return [{ path: at, atKey: true, message: `a field cannot have the name ${PROTOTYPE}` }]
    return prototypeFields(inner, at)
  })
}

class IssueFlaw implements Flaw {
  readonly path: readonly PropertyKey[]
  readonly atKey: boolean
  readonly #issue: Issue
  readonly #checked: Checked

  constructor(issue: Issue, checked: Checked) {
    this.path = issue.path?.map(({ key }) => key as PropertyKey) ?? []
    this.atKey = issue.path?.at(-1)?.origin === 'key'
    this.#issue = issue
    this.#checked = checked
  }

  get message(): string {
    if (isUnknown(this.#issue)) return unknownField(this.#issue, this.path, this.#checked)
    if (this.atKey) return describeIssue(this.#issue)
    // Show the value of the file, because the converted value may have another unit.
    const given = isMissing(this.#issue) ? 'is missing' : `got ${show(at(this.#checked.root, this.path))}`
    return `${given}; ${describeIssue(this.#issue)}`
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

const NOUNS: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'text',
  number: 'a number',
  finite: 'a number',
  safe_integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

function nounOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : (NOUNS[typeof value] ?? String(value))
}

/** Translates a message of Valibot into the terms of scenario files. */
function describeIssue({ type, message, requirement, input }: Issue): string {
  if (!message.startsWith('Invalid ')) return message
  const noun = NOUNS[type]
  if (noun !== undefined) return `expected ${noun}`
  switch (type) {
    case 'min_value':
      return `expected a number from ${requirement} up`
    case 'gt_value':
      return `expected a number above ${requirement}`
    case 'max_value':
      return `expected a number up to ${requirement}`
    case 'min_length':
      return `expected ${requirement} or more ${unitOf(input)}`
    case 'max_length':
      return `expected ${requirement} or fewer ${unitOf(input)}`
    default:
      return message
  }
}

function unitOf(input: unknown): string {
  return Array.isArray(input) ? 'entries' : 'characters'
}

const MAX_QUOTED = 60

function show(value: unknown): string {
  const text =
    typeof value === 'number'
      ? String(value)
      : (asJson(typeof value === 'string' ? maskUrl(value) : value) ?? String(value))
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text
}

/** Returns undefined for a value in code that is not JSON. */
function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/**
 * Locates mistakes in a text, in its order. A mistake below an anchor is one mistake, although each alias repeats it.
 * @param source the name of the text in errors
 */
export function locateFlaws(
  flaws: readonly Flaw[],
  source: string,
  positionOf: Yaml['positionOf'],
): ScenarioError {
  const located = flaws.map((flaw) => ({ flaw, position: positionOf(flaw.path, flaw.atKey) }))
  located.sort(({ position: one }, { position: other }) => one.line - other.line || one.column - other.column)
  const seen = new Set<string>()
  const mistakes: Mistake[] = []
  for (const [index, { flaw, position }] of located.entries()) {
    if (mistakes.length === MAX_MISTAKES) return new ScenarioError(mistakes, located.length - index)
    const key = `${position.line}:${position.column}:${flaw.message}`
    if (seen.has(key)) continue
    seen.add(key)
    mistakes.push({ source, ...position, path: formatPath(flaw.path), message: flaw.message })
  }
  return new ScenarioError(mistakes)
}
