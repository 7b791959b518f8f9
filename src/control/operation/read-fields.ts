import * as v from 'valibot'
import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { invalid, Problem } from '../../http/exchange/problem.js'

const MAX_QUOTED = 100

type InputKind = 'field' | 'query parameter'
type Entries = Readonly<Record<string, v.GenericSchema>>

/**
 * Reads the fields of a JSON object.
 * @throws Problem 400 that names the first field that is unknown or has a wrong value
 */
export function readFields<Schema extends v.GenericSchema>(
  schema: Schema,
  body: JsonObject,
): v.InferOutput<Schema> {
  const entries = entriesOf(schema)
  return (entries === undefined ? body : read('field', entries, body)) as v.InferOutput<Schema>
}

/**
 * Reads the parameters of a query. The control token is allowed in every query.
 * @throws Problem 400 that names the first parameter that is unknown or has a wrong value
 */
export function readQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  query: string,
): v.InferOutput<Schema> {
  const parameters = new URLSearchParams(query)
  const given = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.get(name)]))
  const { token, ...rest } = given
  return read('query parameter', entriesOf(schema) ?? {}, rest) as v.InferOutput<Schema>
}

function read(kind: InputKind, entries: Entries, given: JsonObject, prefix = ''): object {
  checkNames(kind, Object.keys(entries), given)
  const fields = Object.entries(entries).map(([name, schema]) => {
    const value = given[name]
    const inner = value === undefined ? undefined : entriesOf(schema)
    if (inner !== undefined && isJsonObject(value))
      return [name, read(kind, inner, value, `${prefix}${name}.`)]
    // Valibot accepts a list as an object.
    const form = Array.isArray(value) ? objectForm(schema) : undefined
    if (form !== undefined) throw invalid(kind, prefix + name, value, form)
    const { issues, output } = v.safeParse(schema, value)
    if (issues !== undefined) throw invalid(kind, prefix + name, value, issues[0].message)
    return [name, output]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function checkNames(kind: InputKind, known: readonly string[], given: JsonObject): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const param = unknown.slice(0, MAX_QUOTED)
  const expected = known.length === 0 ? `expected no ${kind}` : `expected one of ${known.join(', ')}`
  throw new Problem('invalid_request', `Unknown ${kind} \`${param}\`: ${expected}.`, { param })
}

/** What a schema of an object expects; undefined if the schema allows another value. */
function objectForm(schema: v.GenericSchema): string | undefined {
  const { wrapped, message = 'an object' } = schema as {
    readonly wrapped?: v.GenericSchema
    readonly message?: string
  }
  if (wrapped !== undefined) return objectForm(wrapped)
  return OBJECTS.has(schema.type) ? message : undefined
}

const OBJECTS: ReadonlySet<string> = new Set(['record', 'strict_object'])

/** Returns the fields of an object. For a union of objects, returns the fields of all of them, each optional. */
function entriesOf(schema: v.GenericSchema): Entries | undefined {
  const { entries, options, wrapped } = schema as {
    readonly entries?: Entries
    readonly options?: readonly v.GenericSchema[]
    readonly wrapped?: v.GenericSchema
  }
  if (wrapped !== undefined) return entriesOf(wrapped)
  if (schema.type !== 'union') return entries
  const forms = options?.flatMap((option) => Object.entries(entriesOf(option) ?? {})) ?? []
  return forms.length === 0
    ? undefined
    : Object.fromEntries(forms.map(([name, field]) => [name, v.optional(field)]))
}
