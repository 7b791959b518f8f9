import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { GUARD, SPREAD } from '../table/template/compile.js'
import { type Placeholder, parseText, type TextParts } from '../table/template/parse.js'
import { splitText } from '../table/template/read-text.js'
import type { Template } from '../table/template/template.js'

/** Receives a value in an answer, and the placeholder that the service would have replaced with it. */
export type Found = (placeholder: Placeholder, value: JsonValue) => void

/** Finds the values of placeholders in an answer: the inverse of filling a template. Fields may be missing. */
export function readBack(template: Template, answer: JsonValue | undefined, found: Found): void {
  if (answer === undefined || answer === null) return
  if (typeof template === 'string') readText(partsOf(template), answer, found)
  else if (Array.isArray(template)) readList(template, answer, found)
  else if (isJsonObject(template) && isJsonObject(answer)) readFields(template, answer, found)
}

function readFields({ [SPREAD]: spread, ...named }: JsonObject, answer: JsonObject, found: Found): void {
  for (const [name, inner] of Object.entries(named))
    if (name !== GUARD && Object.hasOwn(answer, name)) readBack(inner, answer[name], found)
  if (spread === undefined) return
  const rest = Object.entries(answer).filter(([name]) => !Object.hasOwn(named, name))
  readBack(spread, Object.fromEntries(rest), found)
}

function readList(template: readonly Template[], answer: JsonValue, found: Found): void {
  if (!Array.isArray(answer)) return
  for (const [index, inner] of template.entries()) readBack(inner, answer[index], found)
}

function readText(parts: TextParts, answer: JsonValue, found: Found): void {
  const [only] = parts
  if (parts.length === 1 && typeof only === 'object') found(only, answer)
  else if (typeof answer === 'string')
    for (const [placeholder, value] of splitText(parts, answer)) found(placeholder, value)
}

/** The parts of the texts of templates, of which there are few. */
const known = new Map<string, TextParts>()

function partsOf(text: string): TextParts {
  const parts = known.get(text) ?? parseText(text)
  known.set(text, parts)
  return parts
}
