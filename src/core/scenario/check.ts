import * as v from 'valibot'
import { type ScenarioLayer, scenarioSchema } from './schema.js'
import type { Issue } from './schema-kinds.js'

/** A mistake in a value, before it is known where in a text the value stands. */
export interface Flaw {
  readonly path: readonly PropertyKey[]
  /** True where the name of the field is at fault, not its value. */
  readonly atKey: boolean
  readonly message: string
}

/** Checks one layer and says everything that is wrong with it. */
export function checkLayer(value: unknown): { layer: ScenarioLayer } | { flaws: Flaw[] } {
  const result = checkValue(scenarioSchema, value)
  return 'flaws' in result ? result : { layer: result.value }
}

/** Checks a value against a part of the schema. */
export function checkValue<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): { value: v.InferOutput<Schema> } | { flaws: Flaw[] } {
  const poisoned = prototypeFields(value, [])
  if (poisoned.length > 0) return { flaws: poisoned }
  const { issues, output } = v.safeParse(schema, value, { abortPipeEarly: true })
  return issues === undefined ? { value: output } : { flaws: issues.map(flawOf) }
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

function flawOf(issue: Issue): Flaw {
  const path = issue.path?.map(({ key }) => key as PropertyKey) ?? []
  if (issue.path?.at(-1)?.origin === 'key') return { path, atKey: true, message: worded(issue) }
  const given =
    issue.kind === 'schema' && issue.input === undefined ? 'is missing' : `got ${show(issue.input)}`
  return { path, atKey: false, message: `${given}; ${worded(issue)}` }
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
  const text = typeof value === 'number' ? String(value) : (asJson(value) ?? String(value))
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
