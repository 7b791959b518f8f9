import * as v from 'valibot'
import type { JsonValue } from '../../../engine/json.js'
import { list } from '../../../engine/suggest.js'

/**
 * Schemas with better messages than those of Valibot: mappings that name every unknown field, and alternatives that
 * report the mistake of the nearest one. They override `~run`, which Valibot may change in any release, so package.json
 * pins its version. The public functions cannot replace it: JSON Schema needs the structure of the original schemas.
 */

/** Something that is wrong, as the library tells it. */
export type Issue = v.BaseIssue<unknown>
type Config = v.Config<Issue>

/**
 * An object that takes no other fields than these.
 * @param name what its type is called, see {@link named}
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
    const reading = new Reading(mapping)
    for (const name of new Set([...required, ...Object.keys(mapping)])) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field === undefined) reading.refuse(name, unknownField(name, known))
      else reading.set(name, field['~run']({ value: mapping[name] }, config))
    }
    return reading.end()
  }
  const schema = {
    ...v.strictObject(fields),
    '~run': ofMappings(read, `expected a mapping with ${list(known)}`),
  }
  return name === undefined ? schema : named(name, schema)
}

type Closed<Fields extends v.ObjectEntries> = v.GenericSchema<
  v.InferInput<v.StrictObjectSchema<Fields, undefined>>,
  v.InferOutput<v.StrictObjectSchema<Fields, undefined>>
>

/** Names the type of a value: in the JSON Schema, and in the types for TypeScript that are generated from that. */
export function named<Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
): v.GenericSchema<v.InferInput<Schema>, v.InferOutput<Schema>> {
  return v.pipe(schema, v.title(name))
}

/** A mapping whose names are free. */
export function byName<Name extends v.GenericSchema<string, string>, Value extends v.GenericSchema>(
  name: Name,
  value: Value,
): v.GenericSchema<Record<string, v.InferInput<Value>>, Record<string, v.InferOutput<Value>>> {
  const read = (mapping: Mapping, config: Config) => {
    const reading = new Reading(mapping)
    for (const [key, inner] of Object.entries(mapping)) {
      const [issue] = name['~run']({ value: key }, config).issues ?? []
      if (issue === undefined) reading.set(key, value['~run']({ value: inner }, config))
      else reading.refuse(key, issue)
    }
    return reading.end()
  }
  return { ...v.record(name, value), '~run': ofMappings(read, 'expected a mapping') }
}

/**
 * One of several forms. Where a value has none of them, the one that it resembles says what is wrong.
 * @param message says what the forms are, where the value resembles none of them
 */
export function orElse<const Forms extends readonly v.GenericSchema[]>(
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
      const ofItsType = tried.filter((issues) => !issues.some(isOfAnotherType))
      const isClear = ofItsType.length === 1
      const [issues] = ofItsType
        .filter((issues) => isClear || !isOfOtherFields(value, issues))
        .sort((one, other) => structure(one) - structure(other) || one.length - other.length)
      return refused(...(issues ?? [issueOf('union', value, message)]))
    },
  }
}

/** Whatever JSON can hold. */
export const json = v.custom<JsonValue>(isJson, 'expected what JSON can hold')

/** A mapping of names to whatever JSON can hold. */
export const jsonObject = byName(v.string(), json)

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return Array.from(value).every(isJson)
  if (isMapping(value)) return Object.values(value).every(isJson)
  return value === null || Number.isFinite(value) || typeof value === 'string' || typeof value === 'boolean'
}

/** Whether a value has fields: no list, and nothing of a class, for a map or a date would pass for an empty mapping. */
export function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether a form is out of the question: the value is not of its type. */
function isOfAnotherType({ kind, type, path, input }: Issue): boolean {
  if (path !== undefined || kind !== 'schema') return false
  // One of some words: what is no word at all does not resemble it.
  return type === 'picklist' || type === 'literal' ? typeof input === 'object' : true
}

/** Whether a form is out of the question: it has none of the fields of the value, and asks for others. */
function isOfOtherFields(value: unknown, issues: readonly Issue[]): boolean {
  if (!isMapping(value)) return false
  const own = issues.filter(({ path }) => path?.length === 1)
  return own.some(isMissing) && own.filter(isUnknown).length === Object.keys(value).length
}

/** How much the fields by themselves speak against a form, whatever their values: most, one that it does not have. */
function structure(issues: readonly Issue[]): number {
  const own = issues.filter(({ path }) => path?.length === 1)
  return 2 * own.filter(isUnknown).length + own.filter(isMissing).length
}

/** Whether a field is at fault that its mapping does not have; `requirement` lists those that it has. */
export const isUnknown = ({ type }: Issue): boolean => type === UNKNOWN_FIELD
const isMissing = ({ kind, input }: Issue) => kind === 'schema' && input === undefined

type Mapping = Readonly<Record<string, unknown>>
type Result = v.OutputDataset<never, Issue>

/** Reads mappings, and takes nothing else for one. */
function ofMappings(read: (mapping: Mapping, config: Config) => Result, message: string) {
  return ({ value }: v.UnknownDataset, config: Config) =>
    isMapping(value) ? read(value, config) : refused(issueOf('mapping', value, message))
}

/** What is made of a mapping, part by part. */
class Reading {
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

  /** @param issue what is wrong with the name */
  refuse(name: string, issue: Issue): void {
    this.#issues.push(this.#within(name, 'key', issue))
  }

  end(): Result {
    if (this.#issues.length > 0) return refused(...this.#issues)
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
  return { ...issueOf(UNKNOWN_FIELD, name, 'unknown field'), requirement: known }
}

function issueOf(type: string, input: unknown, message: string): Issue {
  return { kind: 'schema', type, input, message, expected: null, received: '' }
}

function refused(...issues: readonly Issue[]): v.FailureDataset<Issue> {
  return { typed: false, value: undefined, issues: issues as [Issue, ...Issue[]] }
}
