import type { z } from 'zod'
import { type ScenarioLayer, scenarioSchema } from './schema.js'
import { BETWEEN_FIELDS } from './schema-parts.js'

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
export function checkValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { value: z.output<Schema> } | { flaws: Flaw[] } {
  const poisoned = prototypeFields(value, [])
  if (poisoned.length > 0) return { flaws: poisoned }
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return { value: result.data }
  return { flaws: result.error.issues.flatMap((issue) => flawsOf(issue, [])) }
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

type Issue = z.core.$ZodIssue

function flawsOf(issue: Issue, base: readonly PropertyKey[]): Flaw[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_union') {
    const branch = nearestForm(issue.errors)
    return branch === undefined ? [flaw(path, issue)] : branch.flatMap((inner) => flawsOf(inner, path))
  }
  if (issue.code === 'unrecognized_keys') {
    // The schema's message names every unknown field in turn; each belongs to its own place in the file.
    const messages = issue.message.split(BETWEEN_FIELDS)
    return issue.keys.map((key, index) => ({
      path: [...path, key],
      atKey: true,
      message: messages[index] ?? issue.message,
    }))
  }
  if (issue.code === 'invalid_key') {
    const [reason] = issue.issues
    return [{ path, atKey: true, message: reason?.message ?? issue.message }]
  }
  return [flaw(path, issue)]
}

function flaw(path: readonly PropertyKey[], issue: Issue): Flaw {
  const missing = issue.code !== 'custom' && issue.input === undefined
  const given = missing ? 'is missing' : `got ${show(issue.input)}`
  return { path, atKey: false, message: `${given}; ${worded(issue)}` }
}

const NOUNS: Readonly<Record<string, string>> = {
  record: 'a mapping',
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

function countOf(origin: string): string {
  return origin === 'array'
    ? 'a number of entries'
    : origin === 'string'
      ? 'a number of characters'
      : 'a number'
}

/** Says what the library says in the words of the files. */
function worded(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid input')
        ? `expected ${NOUNS[issue.expected] ?? issue.expected}`
        : issue.message
    case 'invalid_value':
      return issue.message.startsWith('Invalid') ? `expected ${issue.values.join(', or ')}` : issue.message
    case 'too_small':
      if (!issue.message.startsWith('Too small')) return issue.message
      return `expected ${countOf(issue.origin)} ${issue.inclusive === false ? 'above' : 'from'} ${issue.minimum}${issue.inclusive === false ? '' : ' up'}`
    case 'too_big':
      if (!issue.message.startsWith('Too big')) return issue.message
      return `expected ${countOf(issue.origin)} up to ${issue.maximum}`
    default:
      return issue.message
  }
}

/**
 * Of the forms that a value could have had, the one that it resembles: whose own type it has, and with the
 * fewest mistakes. None, where it has the type of none of them.
 */
function nearestForm(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches
    .map((issues) => issues.flatMap(unfolded))
    .filter((issues) => !issues.some(isOfAnotherType))
    .map((issues) => ({ issues, faults: issues.reduce((sum, issue) => sum + weight(issue), 0) }))
    .sort((a, b) => a.faults - b.faults)[0]?.issues
}

/** A form that itself has several forms stands for the one of them that the value resembles. */
function unfolded(issue: Issue): readonly Issue[] {
  if (issue.path.length > 0 || issue.code !== 'invalid_union') return [issue]
  return nearestForm(issue.errors) ?? [issue]
}

function isOfAnotherType({ path, code, input }: Issue): boolean {
  if (path.length > 0) return false
  // One of some words: what is no word at all does not resemble it.
  if (code === 'invalid_value') return typeof input === 'object'
  return code === 'invalid_type' || code === 'invalid_union'
}

/** A field that a form does not have speaks against the form more than a wrong value in one that it has. */
function weight(issue: Issue): number {
  return issue.code === 'unrecognized_keys' ? 2 * issue.keys.length : 1
}

const LONGEST_SHOWN = 60

function show(value: unknown): string {
  const text = asJson(value) ?? String(value)
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
