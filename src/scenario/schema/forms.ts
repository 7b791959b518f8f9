import * as v from 'valibot'
import type { JsonValue } from '../../engine/json.js'
import { list } from '../../engine/suggest.js'
import { isMapping, type Mapping } from '../mapping.js'

/**
 * Schemas with better messages than those of Valibot: mappings that name every unknown field, and alternatives that
 * report the mistake of the nearest one. They override `~run`, which Valibot may change in any release, so package.json
 * pins its version. The public functions cannot replace it: JSON Schema needs the structure of the original schemas.
 */

/** A mistake as Valibot reports it. */
export type Issue = v.BaseIssue<unknown>
type Config = v.Config<Issue>

/**
 * A mapping without other fields.
 * @param name the name of its type, see {@link named}
 */
export function closed<const Fields extends v.ObjectEntries>(name: string, fields: Fields): Closed<Fields>
export function closed<const Fields extends v.ObjectEntries>(fields: Fields): Closed<Fields>
export function closed<Fields extends v.ObjectEntries>(
  ...given: [string, Fields] | [Fields]
): Closed<Fields> {
  const [name, fields] = given.length === 2 ? given : [undefined, ...given]
  const known = Object.keys(fields)
  const required = known.filter((name) => fields[name]?.type !== 'optional')
  const read = (mapping: Mapping, config: Config) => {
    const reader = new MappingReader(mapping)
    for (const name of new Set([...required, ...Object.keys(mapping)])) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field === undefined) reader.reject(name, unknownField(name, known))
      else reader.set(name, field['~run']({ value: mapping[name] }, config))
    }
    return reader.finish()
  }
  const schema = {
    ...v.strictObject(fields),
    '~run': ofMappings(read, `expected a mapping with ${list(known)}`),
  }
  // `v.pipe` keeps the properties of the schema.
  return (name === undefined ? schema : named(name, schema)) as Closed<Fields>
}

/**
 * A mapping with known fields and with others of any name.
 * @param accepts whether a field with another name is meant as one of the others; if not, it is a mistake
 * @param help what to do about such a mistake if no known field has a similar name
 */
export function extensible<Field extends v.GenericSchema, Value extends v.GenericSchema>(
  name: string,
  fields: Readonly<Record<string, Field>>,
  { key, value, accepts, help }: OtherFields<Value>,
): v.GenericSchema<
  Record<string, v.InferInput<Field> | v.InferInput<Value> | undefined>,
  Record<string, v.InferOutput<Field> | v.InferOutput<Value> | undefined>
> & { readonly entries: Readonly<Record<string, Field>> } {
  const known = Object.keys(fields)
  const read = (mapping: Mapping, config: Config) => {
    const reader = new MappingReader(mapping)
    for (const [field, inner] of Object.entries(mapping)) {
      const schema = Object.hasOwn(fields, field) ? fields[field] : undefined
      const [issue] = schema === undefined ? (key['~run']({ value: field }, config).issues ?? []) : []
      if (schema !== undefined) reader.set(field, schema['~run']({ value: inner }, config))
      else if (!accepts(inner)) reader.reject(field, { ...unknownField(field, known), message: help })
      else if (issue !== undefined) reader.reject(field, issue)
      else reader.set(field, value['~run']({ value: inner }, config))
    }
    return reader.finish()
  }
  // JSON Schema needs only these properties of `v.objectWithRest`, whose code would make a browser bundle larger.
  const schema = {
    ...v.strictObject(fields),
    type: 'object_with_rest',
    rest: value,
    '~run': ofMappings(read, `expected a mapping with ${list(known)}`),
  }
  return named(name, schema as v.GenericSchema) as unknown as ReturnType<typeof extensible<Field, Value>>
}

interface OtherFields<Value extends v.GenericSchema> {
  readonly key: v.GenericSchema<string, string>
  readonly value: Value
  readonly accepts: (value: unknown) => boolean
  readonly help: string
}

type Closed<Fields extends v.ObjectEntries> = v.GenericSchema<
  v.InferInput<v.StrictObjectSchema<Fields, undefined>>,
  v.InferOutput<v.StrictObjectSchema<Fields, undefined>>
> & { readonly entries: Fields }

/** Names the type of a value in the JSON Schema and in the generated TypeScript types. */
export function named<Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
): v.GenericSchema<v.InferInput<Schema>, v.InferOutput<Schema>> {
  return v.pipe(schema, v.title(name))
}

/** A mapping with any names. */
export function byName<Name extends v.GenericSchema<string, string>, Value extends v.GenericSchema>(
  name: Name,
  value: Value,
): v.GenericSchema<Record<string, v.InferInput<Value>>, Record<string, v.InferOutput<Value>>> {
  const read = (mapping: Mapping, config: Config) => {
    const reader = new MappingReader(mapping)
    for (const [key, inner] of Object.entries(mapping)) {
      const [issue] = name['~run']({ value: key }, config).issues ?? []
      if (issue === undefined) reader.set(key, value['~run']({ value: inner }, config))
      else reader.reject(key, issue)
    }
    return reader.finish()
  }
  return { ...v.record(name, value), '~run': ofMappings(read, 'expected a mapping') }
}

/**
 * One of several forms. If no form accepts a value, the form that it resembles reports the mistake.
 * @param message describes the forms, for a value that resembles none of them
 */
export function anyOf<const Forms extends readonly v.GenericSchema[]>(
  message: string,
  ...forms: Forms
): v.GenericSchema<v.InferInput<Forms[number]>, v.InferOutput<Forms[number]>> {
  return {
    ...v.union(forms),
    '~run'({ value }, config) {
      const tried: (readonly Issue[])[] = []
      for (const form of forms) {
        const result = form['~run']({ value }, config)
        if (result.issues === undefined) return result
        tried.push(result.issues)
      }
      const ofSameType = tried.filter((issues) => !issues.some(hasOtherType))
      const isClear = ofSameType.length === 1
      const [issues] = ofSameType
        .filter((issues) => isClear || !hasOtherFields(value, issues))
        .sort((one, other) => mismatchScore(one) - mismatchScore(other) || one.length - other.length)
      return failure(...(issues ?? [issueOf('union', value, message)]))
    },
  }
}

/** How a value is checked. */
export interface CheckConfig extends Config {
  /** Whether the value was read and converted before, such as that of a saved scenario: it is only checked. */
  readonly isConverted?: boolean
}

/**
 * A schema that converts a value, but not twice.
 * @param converted accepts what it has converted before
 */
export function convertedOnce<Input, Output>(
  schema: v.GenericSchema<Input, Output>,
  converted: v.GenericSchema<Output>,
): v.GenericSchema<Input, Output> {
  return {
    ...schema,
    '~run': (dataset, config: CheckConfig) =>
      (config.isConverted ? (converted as v.GenericSchema<never, Output>) : schema)['~run'](dataset, config),
  }
}

/**
 * Converts a value in a pipe, such as a short form.
 * @param to the schema of the converted value, from which its type is generated; it is not checked
 */
export function converted<Value, To extends v.GenericSchema>(
  to: To,
  convert: (value: Value) => v.InferOutput<To>,
): v.TransformAction<Value, v.InferOutput<To>> & { readonly to: To } {
  return { ...v.transform(convert), to }
}

/** Any JSON value. */
export const json = v.custom<JsonValue>(isJson, 'expected a JSON value')

/** A mapping of names to JSON values. */
export const jsonObject = byName(v.string(), json)

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return Array.from(value).every(isJson)
  if (isMapping(value)) return Object.values(value).every(isJson)
  return value === null || Number.isFinite(value) || typeof value === 'string' || typeof value === 'boolean'
}

/** Whether a value has another type than a form. */
function hasOtherType({ kind, type, path, input }: Issue): boolean {
  if (path !== undefined || kind !== 'schema') return false
  // A text or a number may be a misspelled word; a mapping or a list is not.
  return type === 'picklist' || type === 'literal' ? typeof input === 'object' : true
}

/** Whether a form has no field of the value and requires others. */
function hasOtherFields(value: unknown, issues: readonly Issue[]): boolean {
  if (!isMapping(value)) return false
  const own = issues.filter(({ path }) => path?.length === 1)
  return own.some(isMissing) && own.filter(isUnknown).length === Object.keys(value).length
}

/** Scores how badly the field names fit a form. An unknown field counts more than a missing one. */
function mismatchScore(issues: readonly Issue[]): number {
  const own = issues.filter(({ path }) => path?.length === 1)
  return 2 * own.filter(isUnknown).length + own.filter(isMissing).length
}

/** Whether an issue is an unknown field. Its `requirement` lists the known fields. */
export const isUnknown = ({ type }: Issue): boolean => type === UNKNOWN_FIELD
/** Whether an issue is a missing field. */
export const isMissing = ({ kind, input }: Issue): boolean => kind === 'schema' && input === undefined

type Result = v.OutputDataset<never, Issue>

/** Reads a mapping, and rejects any other value. */
function ofMappings(read: (mapping: Mapping, config: Config) => Result, message: string) {
  return ({ value }: v.UnknownDataset, config: Config) =>
    isMapping(value) ? read(value, config) : failure(issueOf('mapping', value, message))
}

/** Collects the converted fields of a mapping and their issues. */
class MappingReader {
  readonly #mapping: Mapping
  readonly #parts: [name: string, part: unknown][] = []
  readonly #issues: Issue[] = []

  constructor(mapping: Mapping) {
    this.#mapping = mapping
  }

  set(name: string, { value, issues }: v.OutputDataset<unknown, Issue>): void {
    this.#parts.push([name, value])
    for (const issue of issues ?? []) this.#issues.push(this.#within(name, 'value', issue))
  }

  /** @param issue the mistake in the name */
  reject(name: string, issue: Issue): void {
    this.#issues.push(this.#within(name, 'key', issue))
  }

  finish(): Result {
    if (this.#issues.length > 0) return failure(...this.#issues)
    return { typed: true, value: Object.fromEntries(this.#parts) as never }
  }

  #within(key: string, origin: 'key' | 'value', issue: Issue): Issue {
    const input = this.#mapping
    const part: v.ObjectPathItem = { type: 'object', origin, input, key, value: input[key] }
    return { ...issue, path: [part, ...(issue.path ?? [])] }
  }
}

const UNKNOWN_FIELD = 'unknown_field'

function unknownField(name: string, known: readonly string[]): Issue {
  return { ...issueOf(UNKNOWN_FIELD, name, `expected ${list(known)}`), requirement: known }
}

function issueOf(type: string, input: unknown, message: string): Issue {
  return { kind: 'schema', type, input, message, expected: null, received: '' }
}

function failure(...issues: readonly Issue[]): v.FailureDataset<Issue> {
  return { typed: false, value: undefined, issues: issues as [Issue, ...Issue[]] }
}
