import * as v from 'valibot'
import { nearest, nearestWord } from '../../engine/suggest.js'
import { type Issue, isMissing, isUnknown } from '../schema/forms.js'
import { scenarioSchema } from '../schema/scenario.js'
import { shortName } from './mistake.js'

/** The value with a mistake, and what its schema found. */
export interface Checked {
  readonly schema: v.GenericSchema
  readonly root: unknown
  readonly missing: ReadonlySet<string>
}

/** Explains what an unknown field may be: a misspelled or misplaced one, or another word for one. */
export function unknownField(
  issue: Issue,
  path: readonly PropertyKey[],
  { schema, missing }: Checked,
): string {
  const { input, requirement, message } = issue
  const name = String(input)
  const meant = meantField(issue, missing)
  if (meant !== undefined) return `unknown field \`${shortName(name)}\`; did you mean \`${meant}\`?`
  const known = requirement as readonly string[]
  const help =
    nearest(name, known, 1) ??
    suggestPath(name, path, schema, nounFor(schema)) ??
    synonymOf(name, known) ??
    nearest(name, known) ??
    message
  return `unknown field \`${shortName(name)}\`; ${help}`
}

/** What a file with a schema is called. */
function nounFor(schema: v.GenericSchema): string {
  if ((schema as unknown) === scenarioSchema) return 'scenario'
  return 'entries' in schema && Object.hasOwn(Object(schema.entries), 'statuses') ? 'dialect file' : 'value'
}

/**
 * The field that a name is meant as: a missing one of the same mapping. Both are one mistake.
 * @param missing the missing fields, see {@link missingFields}
 */
function meantField(issue: Issue, missing: ReadonlySet<string>): string | undefined {
  const meant = nearestWord(String(issue.input), issue.requirement as readonly string[])
  return meant !== undefined && missing.has(keyOf(issue, meant)) ? meant : undefined
}

/** The missing fields among mistakes. An unknown field may be a misspelled one of them, and both are one mistake. */
export function missingFields(issues: readonly Issue[]): ReadonlySet<string> {
  return new Set(issues.filter(isMissing).map((issue) => keyOf(issue)))
}

/** Leaves out the missing fields whose names are misspelled in the same mapping. */
export function withoutMisspelled(issues: readonly Issue[], missing: ReadonlySet<string>): readonly Issue[] {
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

/** The number of levels to search for a field. */
const MAX_LEVELS = 2

/** A Valibot schema, with the properties that lead to nested schemas. */
interface SchemaNode {
  readonly type: string
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly wrapped?: SchemaNode
  readonly item?: SchemaNode
  readonly options?: readonly SchemaNode[]
  readonly key?: v.GenericSchema<string, string>
  readonly value?: SchemaNode
}

interface SchemaAt {
  readonly schema: SchemaNode
  /** The path in a scenario. */
  readonly path: string
}

/**
 * Finds the path of a misplaced field: below its current one, or elsewhere in the scenario.
 * @param path the current path of the field
 * @param noun what the root describes
 */
function suggestPath(
  name: string,
  path: readonly PropertyKey[],
  root: v.GenericSchema,
  noun: string,
): string | undefined {
  const top = unfold(root as unknown as SchemaNode, '')
  const parents = path
    .slice(0, -1)
    .reduce((found: readonly SchemaAt[], step) => found.flatMap((each) => childrenAt(each, step)), top)
  const below = search(
    name,
    parents.map(({ schema }) => ({ schema, path: '' })),
  )
  if (below !== undefined) return `it belongs under \`${below}\``
  if (path.length < 2) return undefined
  if (top.some(({ schema }) => hasField(schema, name))) return `it belongs at the top of the ${noun}`
  const elsewhere = search(name, top)
  return elsewhere && `it belongs under \`${elsewhere}\``
}

function search(name: string, from: readonly SchemaAt[]): string | undefined {
  let level = from
  for (let count = 0; count < MAX_LEVELS; count++) {
    level = level.flatMap(({ schema: { entries = {} }, path }) =>
      Object.entries(entries).flatMap(([field, inner]) =>
        unfold(inner, path === '' ? field : `${path}.${field}`),
      ),
    )
    const found = level.find(({ schema }) => hasField(schema, name))
    if (found !== undefined) return found.path
  }
  return undefined
}

/** Returns all forms of a value, or of the entries of a list. */
function unfold(schema: SchemaNode, path: string): SchemaAt[] {
  const { type, wrapped, item, options = [] } = schema
  if (wrapped !== undefined) return unfold(wrapped, path)
  if (type === 'union') return options.flatMap((option) => unfold(option, path))
  return item === undefined ? [{ schema, path }] : unfold(item, `${path}[]`)
}

function childrenAt({ schema: { entries = {}, value }, path }: SchemaAt, step: PropertyKey): SchemaAt[] {
  if (typeof step === 'number') return [{ schema: { type: 'object', entries }, path }]
  const child = Object.hasOwn(entries, step) ? entries[String(step)] : value
  return child === undefined ? [] : unfold(child, path)
}

/** Whether a mapping has a field with this name, or accepts names of this form, as `percentiles` accepts p50. */
function hasField({ entries = {}, key }: SchemaNode, name: string): boolean {
  return Object.hasOwn(entries, name) || (accepts(key, name) && !accepts(key, 'name'))
}

function accepts(key: SchemaNode['key'], name: string): boolean {
  return key !== undefined && v.is(key, name)
}
