import { asText, isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { MASK } from '../../engine/secret-patterns.js'
import { hashOf, REDACTED, redactedText } from '../recording/redacted-text.js'
import { textsIn } from '../recording/shallow-json.js'

/** The names of fields and the indexes that lead to a value, such as `['image', 0]`. */
type Path = readonly (string | number)[]

/** A text in a recorded input that is redacted as a whole, or that has redacted parts. */
export interface RedactedField {
  readonly path: Path
  /** A text with redacted parts, as orders are compared by it; undefined if the whole value is redacted. */
  readonly masked: string | undefined
}

const REDACTED_PART = /(\*\*\*|\[redacted [0-9a-f]{32}\])/

/** Finds the redacted fields of a recorded input. @param comparable the part of a text that orders are compared by */
export function* redactedFields(
  value: JsonValue,
  comparable: (text: string) => string,
  path: Path = [],
): Generator<RedactedField, void, void> {
  if (typeof value === 'string') {
    if (REDACTED.test(value)) yield { path, masked: undefined }
    else if (REDACTED_PART.test(value)) yield* masked(comparable(value), path)
  } else if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield* redactedFields(inner, comparable, [...path, index])
  else if (isJsonObject(value))
    for (const [name, inner] of Object.entries(value))
      yield* redactedFields(inner, comparable, [...path, name])
}

function* masked(text: string, path: Path): Generator<RedactedField, void, void> {
  if (REDACTED_PART.test(text)) yield { path, masked: text }
}

/** The value of a field; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, [step, ...rest]: Path): JsonValue | undefined {
  if (step === undefined || value === undefined) return value
  if (Array.isArray(value)) return typeof step === 'number' ? valueAt(value[step], rest) : undefined
  return isJsonObject(value) && Object.hasOwn(value, step) ? valueAt(value[step], rest) : undefined
}

/** Copies a value with another value of a field, which exists. */
export function replacedAt(value: JsonValue, [step, ...rest]: Path, by: JsonValue): JsonValue {
  if (step === undefined) return by
  if (Array.isArray(value))
    return value.map((inner, index) => (index === step ? replacedAt(inner, rest, by) : inner))
  if (!isJsonObject(value)) return value
  return { ...value, [step]: replacedAt(value[step] ?? null, rest, by) }
}

/**
 * Whether a text is that of a recording without redacted parts.
 * @param hashOf returns what replaces a redacted text
 */
export function unmasks(text: string, masked: string, hashOf: (part: string) => string): boolean {
  const parts = masked.split(REDACTED_PART)
  let end = 0
  return parts.every((part, index) => {
    if (index % 2 === 1) return true
    const mark = parts[index - 1]
    const isLast = index === parts.length - 1
    const at = mark === undefined ? 0 : isLast ? text.length - part.length : text.indexOf(part, end + 1)
    if (at < end || !text.startsWith(part, at)) return false
    const between = text.slice(end, at)
    end = at + part.length
    return mark === undefined || mark === MASK ? true : mark === hashOf(between)
  })
}

/** Writes the values of an order into JSON in which they are redacted. */
export type Restore = (json: string) => string

const REDACTED_JSON = /(?<!\\)"(\[redacted [0-9a-f]{32}\])"|\[redacted [0-9a-f]{32}\]/g
/** What replaces the URL of a file in answers. */
const REDACTED_URL = /https:\/\/redacted\.invalid\/([0-9a-f]{32})(?:\.\w+)?/g
const FILE = /^(?:https?:|data:)/i

/**
 * Makes the function that gives a client its own values back where the recording has redacted them.
 * @param recorded the recorded input
 * @param live the input of the order, which equals the recorded one
 * @param salt the key of the hashes
 * @returns undefined if nothing in the input is redacted
 */
export function restoreInput(recorded: JsonObject, live: JsonObject, salt: string): Restore | undefined {
  const values = new Map<string, JsonValue>()
  const files = new Map<string, string>()
  for (const { path, masked } of redactedFields(recorded, (text) => text)) {
    const value = valueAt(live, path)
    if (value === undefined || masked !== undefined) continue
    for (const each of [value, ...textsIn(value)]) values.set(redactedText(salt, each), each)
    for (const text of textsIn(value)) if (FILE.test(text)) files.set(hashOf(salt, text, 16), text)
  }
  if (values.size === 0) return undefined
  return (json) =>
    json
      .replace(REDACTED_JSON, (text, whole?: string) => {
        const value = values.get(whole ?? text)
        if (value === undefined) return text
        return whole === undefined ? inText(value) : JSON.stringify(value)
      })
      .replace(REDACTED_URL, (url, hash: string) => inText(files.get(hash) ?? url))
}

/** A value as a part of a JSON text. */
function inText(value: JsonValue): string {
  return JSON.stringify(asText(value)).slice(1, -1)
}
