import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { SPREAD } from '../table/template/compile.js'
import { type Operand, type Placeholder, parseText } from '../table/template/parse.js'
import type { Template } from '../table/template/template.js'
import { INVERSES } from './inverse-filters.js'

/** The parts of a request that templates read. */
export interface RequestDraft {
  body: JsonObject
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  header: Readonly<Record<string, string>>
}

/** Returns a request without any parts. */
export function emptyDraft(): RequestDraft {
  return { body: {}, path: {}, query: {}, header: {} }
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
  else if (typeof value === 'string') writeParts(parts, value, draft)
}

/** Splits a text such as `owner/name` as the template `{{path.owner}}/{{path.name}}` joins it. */
function writeParts(parts: ReturnType<typeof parseText>, text: string, draft: RequestDraft): void {
  const source = parts.map((part) =>
    typeof part === 'string' ? part.replace(/[^\w\s]/g, '\\$&') : '([^]+?)',
  )
  const [, ...found] = new RegExp(`^${source.join('')}$`).exec(text) ?? []
  const placeholders = parts.filter((part) => typeof part !== 'string')
  for (const [index, value] of found.entries()) writePlaceholder(placeholders[index] ?? [], value, draft)
}

function writePlaceholder(operands: Placeholder, value: JsonValue, draft: RequestDraft): void {
  // A fallback gives the value anyway.
  if (operands.some((operand) => 'constant' in operand.value && operand.value.constant === value)) return
  for (const operand of operands) {
    const path = pathOf(operand)
    if (path === undefined || operand.filters.some(({ name }) => INVERSES[name] === undefined)) continue
    const inverse = (inner: JsonValue, { name }: (typeof operand.filters)[number]) =>
      INVERSES[name]?.(inner) ?? inner
    writeAt(path, operand.filters.reduceRight(inverse, value), draft)
    return
  }
}

/** The path of a value in the request; undefined if it is a constant, or in a list. */
function pathOf({ value }: Operand): readonly string[] | undefined {
  if ('constant' in value || value.steps.some((step) => /^\d+$/.test(step))) return undefined
  return [value.name, ...value.steps]
}

function writeAt([name, ...steps]: readonly string[], value: JsonValue, draft: RequestDraft): void {
  if (name === 'body') draft.body = withValue(draft.body, steps, value)
  else if (name === 'path' || name === 'query' || name === 'header')
    draft[name] = { ...draft[name], [steps.join('.')]: textOf(value) }
}

/** Returns a copy, because an assignment to a field such as `__proto__` would change more than the field. */
function withValue(object: JsonObject, [step, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (step === undefined) return isJsonObject(value) ? { ...object, ...value } : object
  if (rest.length === 0) return { ...object, [step]: value }
  const inner = Object.hasOwn(object, step) ? object[step] : undefined
  return { ...object, [step]: withValue(isJsonObject(inner) ? inner : {}, rest, value) }
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
