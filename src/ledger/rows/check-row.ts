import * as v from 'valibot'
import type { JsonValue } from '../../engine/json.js'
import { excerptOf } from '../../engine/json.js'
import { maskUrl } from '../../engine/mask.js'
import { type Accepts, accepts } from './accepts.js'
import { ROWS } from './rows.js'

/** A part of the state, such as `task`. */
export type RowKind = keyof typeof ROWS

/** What the rows of each kind contain. */
type RowValues = {
  [Kind in RowKind]: v.InferOutput<(typeof ROWS)[Kind]['first'] | (typeof ROWS)[Kind]['others']>
}

/** What a row of a kind contains. */
export type RowValue<Kind extends RowKind> = RowValues[Kind]

/** The names of all kinds. */
export const ROW_KINDS = Object.keys(ROWS) as readonly RowKind[]

/** Whether there is a kind with this name. */
export function isRowKind(name: string): name is RowKind {
  return Object.hasOwn(ROWS, name)
}

const compiled = new Map<v.GenericSchema, Accepts>()

/** Explains why a value cannot be that of a row. @returns undefined if it can */
export function flawOfRow(kind: RowKind, seq: number, value: unknown): string | undefined {
  const { first, others } = ROWS[kind]
  const schema: v.GenericSchema = seq === 0 ? first : others
  const isValid = compiled.get(schema) ?? accepts(schema)
  compiled.set(schema, isValid)
  if (isValid(value)) return undefined
  const [issue] = v.safeParse(schema, value).issues ?? []
  return issue === undefined ? 'its value is not valid' : explain(issue, value)
}

function explain(issue: v.BaseIssue<unknown>, value: unknown): string {
  const path = issue.path?.map(({ key }) => String(key)) ?? []
  if (path.length === 0) return `its value must be ${issue.message}, got ${shown(value)}`
  const field = `\`${path.join('.')}\``
  if (issue.path?.at(-1)?.origin === 'key')
    return issue.expected === 'never' ? `${field} is an unknown field` : `${field} is missing`
  const given = path.reduce((inner: unknown, key) => ownValue(Object(inner), key), value)
  return `${field} must be ${issue.message}, got ${shown(given)}`
}

function ownValue(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value
}

const LONGEST = 60

/** A value for an error, without secrets. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return excerptOf(typeof value === 'string' ? maskUrl(value) : (value as JsonValue), LONGEST)
}
