import type * as v from 'valibot'
import { maskUrl } from '../../engine/mask.js'
import type { ScenarioLayer } from '../../engine/scenario/layer.js'
import { list, nearest, nearestWord } from '../../engine/suggest.js'
import { isMapping } from '../mapping.js'
import { type CheckConfig, type Issue, isMissing, isUnknown } from '../schema/forms.js'
import { scenarioSchema } from '../schema/scenario.js'
import { suggestPlace } from './misplaced.js'
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

/** The value with a mistake, and what its schema found. */
interface Checked {
  readonly schema: v.GenericSchema
  readonly root: unknown
  readonly missing: ReadonlySet<string>
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

function unknownField(issue: Issue, path: readonly PropertyKey[], { schema, missing }: Checked): string {
  const { input, requirement, message } = issue
  const name = String(input)
  const meant = meantField(issue, missing)
  if (meant !== undefined) return `unknown field \`${name}\`; did you mean \`${meant}\`?`
  const known = requirement as readonly string[]
  const help =
    nearest(name, known, 1) ??
    suggestPlace(name, path, schema, nounFor(schema)) ??
    synonymOf(name, known) ??
    nearest(name, known) ??
    message
  return `unknown field \`${name}\`; ${help}`
}

/** What a file with a schema is called. */
function nounFor(schema: v.GenericSchema): string {
  if ((schema as unknown) === scenarioSchema) return 'scenario'
  return 'entries' in schema && Object.hasOwn(Object(schema.entries), 'statuses') ? 'dialect file' : 'value'
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
 * The field that a name is meant as: a missing one of the same mapping. Both are one mistake.
 * @param missing the missing fields, see {@link missingFields}
 */
function meantField(issue: Issue, missing: ReadonlySet<string>): string | undefined {
  const meant = nearestWord(String(issue.input), issue.requirement as readonly string[])
  return meant !== undefined && missing.has(keyOf(issue, meant)) ? meant : undefined
}

/** The missing fields among mistakes, for {@link meantField}. */
function missingFields(issues: readonly Issue[]): ReadonlySet<string> {
  return new Set(issues.filter(isMissing).map((issue) => keyOf(issue)))
}

/** Leaves out the missing fields whose names are misspelled in the same mapping. */
function withoutMisspelled(issues: readonly Issue[], missing: ReadonlySet<string>): readonly Issue[] {
  if (missing.size === 0) return issues
  const misspelled = new Set<string>()
  for (const issue of issues.filter(isUnknown)) {
    const meant = meantField(issue, missing)
    if (meant !== undefined) misspelled.add(keyOf(issue, meant))
  }
  return issues.filter((issue) => !isMissing(issue) || !misspelled.has(keyOf(issue)))
}

/** Identifies the field of an issue, or another field of the same mapping. */
function keyOf({ path }: Issue, name?: string): string {
  const keys = path?.map(({ key }) => key) ?? []
  return JSON.stringify(name === undefined ? keys : [...keys.slice(0, -1), name])
}

/** Words that other tools use, or that come to mind first, with the names of fields that they may mean. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  action: ['then', 'operation'],
  assertions: ['expect'],
  base: ['extends'],
  body: ['answer', 'input'],
  callbacks: ['webhooks', 'webhook'],
  chance: ['rate'],
  checks: ['expect'],
  code: ['status'],
  concurrency: ['capacity', 'running'],
  condition: ['when', 'if'],
  conditions: ['when', 'if'],
  do: ['then'],
  duration: ['delay'],
  effect: ['then'],
  endpoint: ['operation', 'path'],
  endpoints: ['operations'],
  every: ['per'],
  expected: ['expect'],
  failure_rate: ['failures'],
  fields: ['answer'],
  filter: ['when', 'matches'],
  hooks: ['webhooks', 'webhook'],
  host: ['hosts'],
  if: ['when'],
  include: ['extends'],
  latency: ['delay'],
  limits: ['rate_limits'],
  match: ['when', 'matches'],
  parent: ['extends'],
  path: ['operation'],
  paths: ['operations'],
  percent: ['rate'],
  percentage: ['rate'],
  probability: ['rate'],
  processing_time: ['delay'],
  response: ['then', 'answer'],
  result: ['then', 'output'],
  route: ['operation'],
  routes: ['operations'],
  servers: ['hosts'],
  set: ['then'],
  sleep: ['delay'],
  states: ['statuses'],
  tests: ['expect'],
  throttle: ['rate_limits'],
  time: ['delay'],
  url: ['hosts', 'receivers'],
  where: ['when'],
  workers: ['running', 'capacity'],
}

/** Returns "did you mean X?" if a word has the meaning of a known field. */
function synonymOf(word: string, known: readonly string[]): string | undefined {
  const name = word.toLowerCase().replaceAll('-', '_')
  const meant = Object.hasOwn(SYNONYMS, name)
    ? SYNONYMS[name]?.find((field) => known.includes(field))
    : undefined
  return meant && `did you mean \`${meant}\`?`
}
