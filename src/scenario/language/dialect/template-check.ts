import * as v from 'valibot'
import { namesInText, parseText, TemplateError } from '../../../dialects/table/template/parse.js'
import type { JsonValue } from '../../../engine/json.js'
import { suggest } from '../../../engine/suggest.js'
import { json, jsonObject } from '../schema/forms.js'

type Path = readonly v.IssuePathItem[]

/**
 * A template: JSON whose texts may contain placeholders.
 * @param names the values that placeholders may name
 */
export const template = (names: readonly string[]) => v.pipe(json, checkPlaceholders(names))

/** A template that is a mapping. */
export const mappingTemplate = (names: readonly string[]) => v.pipe(jsonObject, checkPlaceholders(names))

/** A text with placeholders. */
export const textTemplate = (names: readonly string[]) => v.pipe(v.string(), checkPlaceholders(names))

function checkPlaceholders<Value extends JsonValue>(names: readonly string[]) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    visit(dataset.value, [], (text, path) => {
      const message = mistakeIn(text, names)
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

function mistakeIn(text: string, names: readonly string[]): string | undefined {
  try {
    const unknown = namesInText(parseText(text)).find((name) => !names.includes(name))
    return unknown === undefined ? undefined : `unknown value \`${unknown}\`; ${suggest(unknown, names)}`
  } catch (error) {
    if (error instanceof TemplateError) return error.message
    throw error
  }
}
