import * as v from 'valibot'
import type { Awaitable } from '../engine/awaitable.js'
import { isJsonObject, type JsonObject } from '../engine/json.js'
import type { Reply } from '../exchange/exchange.js'
import { invalid, Problem, type ProblemCode } from '../exchange/problem.js'
import { readJsonObject, readOptionalJsonObject } from '../http/json-body.js'
import type { Exchange, OtherOperation } from '../http/operation.js'
import { checkEncoding, LARGEST_BODY, readBytes } from '../http/read-bytes.js'
import { CONTROL_PATHS, type ControlId } from './paths.js'

/** An operation of the control API with its documentation; `CONTROL_PATHS` has its method and path. */
export interface ControlOperation extends OtherOperation, OperationDescription {
  readonly id: ControlId
}

interface Definition<Query extends v.GenericSchema, Body extends v.GenericSchema>
  extends OperationDescription {
  readonly query?: Query
  readonly body?: BodyDescription & { readonly schema: Body }
  run(
    exchange: Exchange,
    given: { readonly query: v.InferOutput<Query>; readonly body: v.InferOutput<Body> },
  ): Awaitable<Reply>
}

const NO_FIELDS = v.strictObject({})

/**
 * Defines an operation that validates its query and body before it runs. A POST without a body schema accepts no fields.
 */
export function controlOperation<Query extends v.GenericSchema, Body extends v.GenericSchema>(
  id: ControlId,
  { run, ...description }: Definition<Query, Body>,
): ControlOperation {
  const { query: querySchema, body: described } = description
  const readsBody = described !== undefined || CONTROL_PATHS[id].startsWith('POST ')
  const bodySchema = described?.schema ?? NO_FIELDS
  const readJson = described === undefined || described.optional ? readOptionalJsonObject : readJsonObject
  return {
    ...description,
    id,
    async run(exchange) {
      checkMirrored(id, exchange)
      const query = querySchema && readQuery(querySchema, exchange.request.query)
      if (!readsBody) return run(exchange, { query, body: undefined })
      if (described?.type !== undefined)
        return run(exchange, { query, body: v.parse(bodySchema, await readText(exchange)) })
      const json = await readJson(exchange)
      return run(exchange, {
        query,
        body: described?.validate === false ? json : readFields(bodySchema, json),
      })
    },
  }
}

/** The error codes of a rejected JSON body. */
export const BODY_ERRORS = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const

/** The operations that change nothing about the service, although they are not GET requests. */
const HARMLESS: readonly ControlId[] = ['sim.preview', 'sim.observations.add', 'sim.requests.write']

/** @throws Problem 405 if an operation would change a simulation, but the simulator shows a real service */
function checkMirrored(id: ControlId, { sim: { mirrored }, request: { method, path } }: Exchange): void {
  if (mirrored === undefined || CONTROL_PATHS[id].startsWith('GET ') || HARMLESS.includes(id)) return
  throw new Problem(
    'method_not_allowed',
    `${method} ${path.slice(0, 200)} would change a simulation, but this server records ${mirrored.upstream}. Run \`tasksim\` for a simulation.`,
  )
}

const MAX_QUOTED = 100

type InputKind = 'field' | 'query parameter'

type Entries = Readonly<Record<string, v.GenericSchema>>

/**
 * Reads the fields of a JSON object.
 * @throws Problem 400 that names the first field that is unknown or has a wrong value
 */
function readFields<Schema extends v.GenericSchema>(schema: Schema, body: JsonObject): v.InferOutput<Schema> {
  const entries = entriesOf(schema)
  return (entries === undefined ? body : read('field', entries, body)) as v.InferOutput<Schema>
}

/**
 * Reads the parameters of a query. The control token is allowed in every query.
 * @throws Problem 400 that names the first parameter that is unknown or has a wrong value
 */
function readQuery<Schema extends v.GenericSchema>(schema: Schema, query: string): v.InferOutput<Schema> {
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

const LIMIT = {
  bytes: LARGEST_BODY,
  problem: `The body is larger than ${LARGEST_BODY / 1024 / 1024} MB. Load it into a ledger instead: tasksim import FILE --ledger ./state.db`,
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body that is plain text, not JSON.
 * @throws Problem 400, 413 or 415
 */
async function readText(exchange: Exchange): Promise<string> {
  checkEncoding(exchange.request)
  const bytes = await readBytes(exchange, LIMIT)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('invalid_request', 'The body is not valid UTF-8.')
  }
}

/** The documentation of one operation, without its method and path. */
export interface OperationDescription {
  readonly tag: string
  /** A short phrase in the imperative. */
  readonly summary: string
  /** Sentences in Markdown. */
  readonly description?: string
  /** The description of each parameter in the path. */
  readonly params?: Readonly<Record<string, string>>
  /** The query parameters as an object schema. */
  readonly query?: v.GenericSchema
  /** The description of each request header. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyDescription
  /** The successful responses by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /** The error codes that the operation can respond with. */
  readonly errors?: readonly ProblemCode[]
  /** Whether the operation needs no API key. */
  readonly isPublic?: boolean
  /** Whether the faults of a scenario apply to it. */
  readonly canFault?: boolean
}

interface BodyDescription {
  readonly schema: v.GenericSchema
  /** The examples, by short description. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly optional?: boolean
  /** The media type of a body that is plain text; JSON by default. */
  readonly type?: string
  /** False if the operation validates the body itself; true by default. */
  readonly validate?: boolean
}

export interface ResponseDescription {
  readonly description: string
  /** The name of a component; the response is JSON. */
  readonly json?: string
  /** The media type and schema of any other content. */
  readonly content?: { readonly type: string; readonly schema: Readonly<Record<string, unknown>> }
  readonly example?: unknown
  /** The description of each header. */
  readonly headers?: Readonly<Record<string, string>>
}
