import { asText, isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Dialect } from '../dialect.js'
import { SPREAD } from '../table/template/compile.js'
import type { FilterName } from '../table/template/filters.js'
import { type Placeholder, parseText } from '../table/template/parse.js'
import { splitText } from '../table/template/read-text.js'
import type { Template } from '../table/template/template.js'
import { addressOf, fillPath, pathValues, requiredHeaders } from './address.js'
import { type CreateForm, createFormOf } from './create-form.js'
import { interactionRequest } from './interaction-request.js'
import type { Destination, ServiceRequest, Wanted } from './service-request.js'

/**
 * Returns the request of a service that creates a task. For the order of an existing task, it creates an identical one.
 * @throws Error if the service creates no tasks
 */
export function createRequest(dialect: Dialect, wanted: Wanted, destination: Destination): ServiceRequest {
  const form = createFormOf(dialect, wanted)
  const { body, query, header, ...draft } = createDraft(form, wanted)
  const { origin, path } = addressOf(
    dialect,
    fillPath(form.path, pathValues(dialect, draft.path)),
    destination,
  )
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  return {
    method: form.method,
    url: origin + path + search,
    headers: {
      ...requiredHeaders(dialect, destination.key),
      'Content-Type': 'application/json',
      ...form.headers,
      ...header,
    },
    body,
  }
}

/** The parts of a create request that depend on the task. */
export function createDraft(form: CreateForm, { model, input, webhookUrl, extra }: Wanted): RequestDraft {
  const kept = extra?.['kept']
  const draft = emptyDraft(extra === undefined ? [] : missingIn(form.keep, kept))
  writeBack(form.model ?? '{{body.model}}', model, draft)
  writeBack(form.input ?? '{{body}}', input, draft)
  writeBack(form.keep ?? {}, kept, draft)
  writeBack(form.webhookUrl, webhookUrl, draft)
  return draft
}

/** The templates of values that a task could have kept, and did not: its request had no such values. */
function missingIn(keep: CreateForm['keep'] = {}, kept: JsonValue | undefined): string[] {
  const values = isJsonObject(kept) ? kept : {}
  return Object.entries(keep).flatMap(([name, template]) =>
    typeof template === 'string' && values[name] === undefined ? [template] : [],
  )
}

/** The parts of a request that templates read. */
interface RequestDraft {
  body: JsonObject
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  header: Readonly<Record<string, string>>
  /** The placeholders of values that the request does not have. */
  readonly absent: ReadonlySet<string>
}

/** Returns a request without any parts. */
export function emptyDraft(absent: Iterable<string> = []): RequestDraft {
  return { body: {}, path: {}, query: {}, header: {}, absent: new Set(absent) }
}

/**
 * Changes a request so that a template reads a value from it: the inverse of filling the template. It leaves out what it
 * cannot invert, such as values that a filter computes.
 */
export function writeBack(template: Template, value: JsonValue | undefined, draft: RequestDraft): void {
  if (value === undefined || value === null) return
  if (typeof template === 'string') writeText(template, value, draft)
  else if (isJsonObject(template) && isJsonObject(value)) writeFields(template, value, draft)
}

function writeFields(template: JsonObject, value: JsonObject, draft: RequestDraft): void {
  const { [SPREAD]: spread, ...named } = template
  for (const [name, inner] of Object.entries(named))
    if (Object.hasOwn(value, name)) writeBack(inner, value[name], draft)
  if (spread === undefined) return
  const rest = Object.entries(value).filter(([name]) => !Object.hasOwn(named, name))
  writeBack(spread, Object.fromEntries(rest), draft)
}

function writeText(template: string, value: JsonValue, draft: RequestDraft): void {
  const parts = parseText(template)
  const [only] = parts
  if (parts.length === 1 && typeof only === 'object') writePlaceholder(only, value, draft)
  else if (typeof value === 'string')
    for (const [placeholder, found] of splitText(parts, value)) writePlaceholder(placeholder, found, draft)
}

function writePlaceholder(operands: Placeholder, value: JsonValue, draft: RequestDraft): void {
  // A fallback gives the value anyway.
  if (operands.some((operand) => 'constant' in operand.value && operand.value.constant === value)) return
  const invertible = operands.filter(({ filters }) =>
    filters.every(({ name }) => INVERSES[name] !== undefined),
  )
  const candidates = invertible.flatMap(({ value, filters }) =>
    'constant' in value || draft.absent.has(`{{${[value.name, ...value.steps].join('.')}}}`)
      ? []
      : [{ value, filters }],
  )
  // A field of its own is the usual form; one in a list is for several values.
  const chosen = candidates.find((each) => !each.value.steps.some(isIndex)) ?? candidates[0]
  if (chosen === undefined) return
  const inverse = (inner: JsonValue, { name }: (typeof chosen.filters)[number]) =>
    INVERSES[name]?.(inner) ?? inner
  writeAt([chosen.value.name, ...chosen.value.steps], chosen.filters.reduceRight(inverse, value), draft)
}

function isIndex(step: string): boolean {
  return /^\d+$/.test(step)
}

function writeAt([name, ...steps]: readonly string[], value: JsonValue, draft: RequestDraft): void {
  if (name === 'body') draft.body = withField(draft.body, steps, value)
  else if (name === 'path' || name === 'query' || name === 'header')
    draft[name] = { ...draft[name], [steps.join('.')]: asText(value) }
}

/** Returns a copy, because an assignment to a field such as `__proto__` would change more than the field. */
function withField(object: JsonObject, [step, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (step === undefined) return isJsonObject(value) ? { ...object, ...value } : object
  const inner = Object.hasOwn(object, step) ? object[step] : undefined
  return { ...object, [step]: withValue(inner, rest, value) }
}

function withValue(outer: JsonValue | undefined, steps: readonly string[], value: JsonValue): JsonValue {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (!isIndex(step)) return withField(isJsonObject(outer) ? outer : {}, steps, value)
  const list = Array.isArray(outer) ? outer : []
  const index = Math.min(Number(step), list.length)
  return list.toSpliced(index, 1, withValue(list[index], rest, value))
}

type Inverse = (value: JsonValue) => JsonValue

/** What a filter was applied to, by its result, for the filters that lose nothing that a request needs. */
const INVERSES: { readonly [Name in FilterName]?: Inverse } = {
  without: (value) => value,
  // A value that the filter has produced passes it unchanged.
  map: (value) => value,
  chat: responseRequest,
  interaction: interactionRequest,
}

/** The parameters that have the same name and form in the request. The filter reads no others. */
const SAME = ['temperature', 'tools', 'tool_choice'] as const

/** A request in the form of OpenAI's Responses, by the input of a language model. */
function responseRequest(input: JsonValue): JsonValue {
  if (!isJsonObject(input)) return input
  const { messages, max_tokens: limit, reasoning_effort: effort, response_format: format } = input
  const all = Array.isArray(messages) ? messages : []
  const [first, ...rest] = all
  const instructions = isJsonObject(first ?? null) ? instructionsIn(first as JsonObject) : undefined
  const same = SAME.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]))
  return {
    ...Object.fromEntries(same),
    ...(instructions !== undefined && { instructions }),
    input: itemsOf(instructions === undefined ? all : rest),
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(format !== undefined && { text: { format } }),
  }
}

function instructionsIn({ role, content }: JsonObject): string | undefined {
  return role === 'system' && typeof content === 'string' ? content : undefined
}

/** One text of the user needs no list. */
function itemsOf(messages: readonly JsonValue[]): JsonValue {
  const [first] = messages
  if (messages.length === 1 && isJsonObject(first) && first['role'] === 'user') {
    const { content } = first
    if (typeof content === 'string') return content
  }
  return messages.flatMap(itemOf)
}

function itemOf(message: JsonValue): JsonValue[] {
  if (!isJsonObject(message)) return [message]
  const { role = null, content = null, tool_calls: calls, tool_call_id: id = null } = message
  if (role === 'tool') return [{ type: 'function_call_output', call_id: id, output: content }]
  if (Array.isArray(calls)) return calls.filter(isJsonObject).map(callOf)
  const part = role === 'assistant' ? 'output_text' : 'input_text'
  return [{ role, content: Array.isArray(content) ? content.map((each) => partOf(each, part)) : content }]
}

function callOf({ id = null, function: called = null }: JsonObject): JsonValue {
  return { type: 'function_call', call_id: id, ...(isJsonObject(called) && called) }
}

function partOf(part: JsonValue, type: string): JsonValue {
  return isJsonObject(part) && part['type'] === 'text' ? { ...part, type } : part
}
