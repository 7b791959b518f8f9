import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { MASK } from '../../../engine/secret-patterns.js'
import { REDACTED, redactedText } from '../redacted-text.js'
import { jsonIn, parseShallow, textsIn } from '../shallow-json.js'
import type { ContentFields, FieldPath, RedactedFields, Side } from './content-fields.js'
import type { HiddenTexts } from './hidden-texts.js'
import {
  isNamedBy,
  type SecretColumns,
  secretColumnsOf,
  secretColumnsOfRows,
  secretsInRow,
  secretValuesOf,
} from './named-values.js'
import { isIdName, isSecretField } from './secret-names.js'
import { withoutSplitSecrets } from './streams.js'
import type { TextRedactor } from './text-redactor.js'

/** Shorter texts are often words that answers need. */
const SHORTEST_INPUT = 12
const JSON_START = /^\s*[[{]/
/** A number with fewer digits is not a secret. */
const SMALLEST_SECRET = 1_000

/** What the redaction of JSON depends on. */
interface JsonSettings {
  /** The salt of the recording. */
  readonly salt: string
  readonly hidden: HiddenTexts
  readonly texts: TextRedactor
  readonly fields: RedactedFields
  /** Which texts are inputs and outputs; undefined if these are kept. */
  readonly content: ContentFields | undefined
  /** Receives the text of a field that may be an id. */
  readonly onId: (text: string) => void
}

/** Removes secrets, files and redacted values from JSON. */
export class JsonRedactor {
  readonly #settings: JsonSettings

  constructor(settings: JsonSettings) {
    this.#settings = settings
  }

  /** Copies a value without what must not be written. */
  redact(value: JsonValue, side: Side, path: FieldPath = []): JsonValue {
    if (this.#isRedacted(path, side)) return this.#hideAll(value)
    if (typeof value === 'string') return this.#text(value, side, path)
    if (Array.isArray(value)) return this.#list(value, side, path)
    if (!isJsonObject(value)) return value
    const isValue = secretValuesOf(value)
    const columns = secretColumnsOf(value)
    return mapped(value, this.#settings.texts, (inner, name) =>
      isSecretField(name, inner) || isValue(name)
        ? this.#mask(inner)
        : this.redact(this.#withoutColumns(inner, columns), side, [...path, name]),
    )
  }

  /** Masks the values in some columns of the rows in a value. */
  #withoutColumns(value: JsonValue, columns: readonly SecretColumns[], levels = DEEPEST_ROW): JsonValue {
    if (columns.length === 0 || levels === 0 || typeof value !== 'object') return value
    if (isJsonObject(value)) {
      const entries = Object.entries(value)
      return Object.fromEntries(
        entries.map(([name, inner]) => [name, this.#withoutColumns(inner, columns, levels - 1)]),
      )
    }
    if (!Array.isArray(value)) return value
    const secrets = secretsInRow(value, columns)
    return value.map((item, index) =>
      secrets.has(index) ? this.#mask(item) : this.#withoutColumns(item, columns, levels - 1),
    )
  }

  #list(given: readonly JsonValue[], side: Side, path: FieldPath): JsonValue {
    const columns = secretColumnsOfRows(given)
    const list = columns
      ? [...given.slice(0, 1), ...given.slice(1).map((row) => this.#withoutColumns(row, [columns]))]
      : given
    const bytes = textOfBytes(list)
    if (bytes !== undefined && this.#settings.texts.redact(bytes) !== bytes) return [MASK]
    // A text can be a list of its parts, such as the tokens of a model.
    const whole = list.every(isShort)
      ? withoutSplitSecrets(list, (joined) => this.#settings.texts.findSecrets(joined))
      : list
    return whole.map((item, index) =>
      isNamedBy(whole[index - 1], index, whole)
        ? this.#mask(item)
        : this.redact(item, side, [...path, String(index)]),
    )
  }

  /** Remembers the secrets in the JSON in a text. */
  learn(text: string): void {
    for (const json of jsonIn(text)) this.redact(json, 'error')
  }

  #isRedacted(path: FieldPath, side: Side): boolean {
    const { fields } = this.#settings
    return side === 'request' ? fields.isInRequest(path) : fields.isInAnswer(path)
  }

  /** The redacted text of a value. Its texts must not be anywhere else. */
  #hideAll(value: JsonValue): JsonValue {
    const { salt, hidden } = this.#settings
    if (typeof value === 'string' && REDACTED.test(value)) return value
    for (const text of textsIn(value)) hidden.add(text, redactedText(salt, text))
    return redactedText(salt, value)
  }

  #text(text: string, side: Side, path: FieldPath): string {
    const { texts, content } = this.#settings
    if (REDACTED.test(text)) return text
    if (content?.isContent(text, path, side)) return this.#content(text, side, content)
    const nested = JSON_START.test(text) ? parseShallow(text) : undefined
    const mayBeId = isIdName(path.findLast((name) => !/^\d+$/.test(name)) ?? '')
    if (mayBeId) this.#settings.onId(text)
    if (nested === undefined) return texts.redact(text, mayBeId)
    const redacted = JSON.stringify(this.redact(nested, side, path))
    return redacted === JSON.stringify(nested) ? texts.redact(text, mayBeId) : redacted
  }

  #content(text: string, side: Side, content: ContentFields): string {
    const { texts, salt, hidden } = this.#settings
    const redacted = content.redact(text, side, salt)
    // An answer may repeat an input, and secrets in it.
    if (side === 'request' && text.length >= SHORTEST_INPUT) hidden.add(text, redacted)
    texts.redact(text)
    return redacted
  }

  #mask(value: JsonValue): JsonValue {
    const { texts } = this.#settings
    if (typeof value === 'string') {
      if (value === '' || value === MASK) return value
      texts.hide(value)
      // It may contain further secrets, such as the password of a connection.
      texts.redact(value)
      return MASK
    }
    if (typeof value === 'number') return Math.abs(value) >= SMALLEST_SECRET ? MASK : value
    if (Array.isArray(value)) return value.map((item) => this.#mask(item))
    return isJsonObject(value) ? mapped(value, texts, (inner) => this.#mask(inner)) : value
  }
}

/** Rows of lists of objects with lists of values. */
const DEEPEST_ROW = 6
/** The longest part of a text in a list. */
const LONGEST_PART = 64
const FEWEST_BYTES = 8

/** Whether a value has only short texts, and no lists and objects in objects. */
function isShort(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_PART
  if (!isJsonObject(value)) return false
  return Object.values(value).every(
    (inner) => typeof inner !== 'object' && String(inner).length <= LONGEST_PART,
  )
}

/** The text of a list of bytes; undefined if it is another list. */
function textOfBytes(list: readonly JsonValue[]): string | undefined {
  const isByte = (value: JsonValue) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256
  if (list.length < FEWEST_BYTES || !list.every(isByte)) return undefined
  return list.map((byte) => String.fromCharCode(Number(byte))).join('')
}

/** Copies an object with other values. Also removes secrets from the names of its fields. */
function mapped(
  object: JsonObject,
  texts: TextRedactor,
  change: (value: JsonValue, name: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [texts.redact(name, true), change(value, name)]),
  )
}
