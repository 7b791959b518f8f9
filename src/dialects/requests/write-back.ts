import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { SPREAD } from '../table/template/compile.js'
import { type Placeholder, parseText } from '../table/template/parse.js'
import type { Template } from '../table/template/template.js'
import { INVERSES } from './inverse-filters.js'
import { splitText } from './split-text.js'

/** The parts of a request that templates read. */
export interface RequestDraft {
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
  const places = invertible.flatMap(({ value, filters }) =>
    'constant' in value || draft.absent.has(`{{${[value.name, ...value.steps].join('.')}}}`)
      ? []
      : [{ value, filters }],
  )
  // A field of its own is the usual form; one in a list is for several values.
  const place = places.find((each) => !each.value.steps.some(isIndex)) ?? places[0]
  if (place === undefined) return
  const inverse = (inner: JsonValue, { name }: (typeof place.filters)[number]) =>
    INVERSES[name]?.(inner) ?? inner
  writeAt([place.value.name, ...place.value.steps], place.filters.reduceRight(inverse, value), draft)
}

function isIndex(step: string): boolean {
  return /^\d+$/.test(step)
}

function writeAt([name, ...steps]: readonly string[], value: JsonValue, draft: RequestDraft): void {
  if (name === 'body') draft.body = withField(draft.body, steps, value)
  else if (name === 'path' || name === 'query' || name === 'header')
    draft[name] = { ...draft[name], [steps.join('.')]: textOf(value) }
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

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
