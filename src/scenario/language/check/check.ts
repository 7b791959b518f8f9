import * as v from 'valibot'
import { list, nearest } from '../../../engine/suggest.js'
import { maskUrl } from '../../../engine/webhooks/mask-url.js'
import type { ScenarioLayer } from '../../model/layer.js'
import { type Issue, isMapping, isUnknown } from '../schema/forms.js'
import { scenarioSchema } from '../schema/scenario.js'
import { whereItBelongs } from './misplaced.js'

/** A mistake in a value, before it is known where in a text the value stands. */
export interface Flaw {
  readonly path: readonly PropertyKey[]
  /** True where the name of the field is at fault, not its value. */
  readonly atKey: boolean
  /** Worked out only when it is read: of many mistakes only the first are shown. */
  readonly message: string
}

// `closed` hides from its type that it has entries.
const FIELDS = Object.keys((scenarioSchema as unknown as { readonly entries: object }).entries)

/** Checks one layer and reports every mistake in it. */
export function checkLayer(value: unknown): { layer: ScenarioLayer } | { flaws: Flaw[] } {
  if (!isMapping(value)) {
    const message = `got ${nounOf(value)}; expected a mapping with ${list(FIELDS)}`
    return { flaws: [{ path: [], atKey: false, message }] }
  }
  const result = checkValue(scenarioSchema, value)
  return 'flaws' in result ? result : { layer: result.value }
}

/** Letters by which a field may differ from the one that was meant. */
const MISSPELLED = 2

/** Whether a value is meant to be a scenario: a mapping that is empty, or has a field of a scenario, perhaps misspelled. */
export function isScenarioLike(value: unknown): boolean {
  if (!isMapping(value)) return false
  const names = Object.keys(value)
  return names.length === 0 || names.some((name) => nearest(name, FIELDS, MISSPELLED) !== undefined)
}

/** Checks a value against a part of the schema. */
export function checkValue<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): { value: v.InferOutput<Schema> } | { flaws: Flaw[] } {
  const poisoned = prototypeFields(value, [])
  if (poisoned.length > 0) return { flaws: poisoned }
  const { issues, output } = v.safeParse(schema, value, { abortPipeEarly: true })
  if (issues === undefined) return { value: output }
  return { flaws: issues.map((issue) => new IssueFlaw(issue, schema, value)) }
}

/** A field of this name would vanish on the way, and with it the condition or setting that it holds. */
const PROTOTYPE = '__proto__'

function prototypeFields(value: unknown, path: readonly PropertyKey[]): Flaw[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    if (key === PROTOTYPE)
      return [{ path: at, atKey: true, message: `a field cannot be called ${PROTOTYPE}` }]
    return prototypeFields(inner, at)
  })
}

class IssueFlaw implements Flaw {
  readonly path: readonly PropertyKey[]
  readonly atKey: boolean
  readonly #issue: Issue
  readonly #schema: v.GenericSchema
  readonly #root: unknown

  constructor(issue: Issue, schema: v.GenericSchema, root: unknown) {
    this.path = issue.path?.map(({ key }) => key as PropertyKey) ?? []
    this.atKey = issue.path?.at(-1)?.origin === 'key'
    this.#issue = issue
    this.#schema = schema
    this.#root = root
  }

  get message(): string {
    if (isUnknown(this.#issue)) return unknownField(this.#issue, this.path, this.#schema)
    if (this.atKey) return worded(this.#issue)
    const isMissing = this.#issue.kind === 'schema' && this.#issue.input === undefined
    // As it was written: what was read of it may be in other units.
    return `${isMissing ? 'is missing' : `got ${show(at(this.#root, this.path))}`}; ${worded(this.#issue)}`
  }
}

/** Fields that were renamed: where the old name stood, and the new name. */
const RENAMED: Readonly<Record<string, string>> = { 'webhooks.mischief': 'faults' }

function unknownField(
  { input, requirement }: Issue,
  path: readonly PropertyKey[],
  schema: v.GenericSchema,
): string {
  const name = String(input)
  const renamed = RENAMED[path.join('.')]
  if (renamed !== undefined) return `unknown field \`${name}\`; it is now called \`${renamed}\``
  const known = requirement as readonly string[]
  const help =
    nearest(name, known, 1) ??
    whereItBelongs(name, path, schema) ??
    nearest(name, known) ??
    `expected ${list(known)}`
  return `unknown field \`${name}\`; ${help}`
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

/** Says what the library says in the words of the files. */
function worded({ type, message, requirement, input }: Issue): string {
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
      return `expected ${countOf(input)} from ${requirement} up`
    case 'max_length':
      return `expected ${countOf(input)} up to ${requirement}`
    default:
      return message
  }
}

function countOf(input: unknown): string {
  return Array.isArray(input) ? 'a number of entries' : 'a number of characters'
}

const LONGEST_SHOWN = 60

function show(value: unknown): string {
  const text =
    typeof value === 'number'
      ? String(value)
      : (asJson(typeof value === 'string' ? maskUrl(value) : value) ?? String(value))
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text
}

/** What comes from code may hold what JSON cannot. */
function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
