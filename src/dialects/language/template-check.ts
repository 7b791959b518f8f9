import * as v from 'valibot'
import type { JsonValue } from '../../engine/json.js'
import { HEADER_FORM, HEADER_NAME, whyNotSettable } from '../../engine/requests/headers.js'
import { list, nearest } from '../../engine/suggest.js'
import { json, jsonObject } from '../../scenario/schema/forms.js'
import { namesInText, parseText, TemplateError, type TextParts } from '../table/template/parse.js'
import { PLACES, type TemplatePlace } from './template-places.js'

/** The number of places that a message names. */
const MOST_PLACES = 3
/** Two different letters in a shorter name make another name. */
const LONG_NAME = 5

type Path = readonly v.IssuePathItem[]

/** A template: JSON whose texts may contain placeholders. */
export const template = (place: TemplatePlace) => v.pipe(json, checkPlaceholders(place))

/** A template that is a mapping. */
export const mappingTemplate = (place: TemplatePlace) => v.pipe(jsonObject, checkPlaceholders(place))

/** A text with placeholders. */
export const textTemplate = (place: TemplatePlace) => v.pipe(v.string(), checkPlaceholders(place))

/** A template whose field names are the names of headers to set. */
export const headersTemplate = (place: TemplatePlace) =>
  v.pipe(
    mappingTemplate(place),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      for (const [key, value] of Object.entries(dataset.value)) {
        const message = flawOfName(partsOf(key))
        if (message === undefined) continue
        addIssue({ message, path: [{ type: 'object', origin: 'key', input: dataset.value, key, value }] })
      }
    }),
  )

/** Why a header may not have a name. What placeholders of the name contain is checked when a task is created. */
function flawOfName(parts: TextParts): string | undefined {
  const constants = parts.filter((part) => typeof part === 'string')
  if (!constants.every((part) => HEADER_NAME.test(part))) return HEADER_FORM
  return constants.length === parts.length && parts.length > 0
    ? whyNotSettable(constants.join(''))
    : undefined
}

/** The parts of a text; none if a placeholder is not valid, which is another mistake. */
function partsOf(text: string): TextParts {
  try {
    return text === '' ? [text] : parseText(text)
  } catch {
    return []
  }
}

function checkPlaceholders<Value extends JsonValue>(place: TemplatePlace) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    visit(dataset.value, [], (text, path) => {
      const message = mistakeIn(text, place)
      if (message === undefined) return
      const [first, ...rest] = path
      addIssue({ message, ...(first && { path: [first, ...rest] }) })
    })
  })
}

function visit(value: JsonValue, path: Path, onText: (text: string, path: Path) => void): void {
  if (typeof value === 'string') onText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const isList = Array.isArray(value)
    const item = { input: value, key: isList ? Number(key) : key, value: inner }
    const at = (origin: 'key' | 'value') =>
      [...path, { ...item, type: isList ? 'array' : 'object', origin } as v.IssuePathItem] as const
    if (!isList) onText(key, at('key'))
    visit(inner, at('value'), onText)
  }
}

function mistakeIn(text: string, { values }: TemplatePlace): string | undefined {
  try {
    const unknown = namesInText(parseText(text)).find((name) => !values.includes(name))
    return unknown === undefined ? undefined : `unknown value \`${unknown}\`; ${helpWith(unknown, values)}`
  } catch (error) {
    if (error instanceof TemplateError) return error.message
    throw error
  }
}

/** Where a value exists, the value that is meant, or all values. */
function helpWith(unknown: string, known: readonly string[]): string {
  const places = Object.values(PLACES).filter(({ values }) => values.includes(unknown))
  const names = places.slice(0, MOST_PLACES).map(({ name }) => name)
  if (names.length > 0) return `it is available in ${names.join(', and in ')}`
  return nearest(unknown, known, unknown.length < LONG_NAME ? 1 : 2) ?? `expected ${list(known)}`
}
