import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../engine/json.js'
import { MASK } from '../../../engine/secret-patterns.js'
import { textsIn } from '../../texts-in.js'
import { redactedText } from '../redacted-text.js'
import type { ContentFields } from './content-fields.js'
import type { Place, RedactedPlaces, Side } from './places.js'
import { isSecretField } from './secret-names.js'
import type { TextRedactor, TextSettings } from './text-redactor.js'

const REDACTED = /^\[redacted [0-9a-f]{32}\]$/
/** Shorter texts are often words that answers need. */
const SHORTEST_INPUT = 12
const JSON_START = /^\s*[[{]/

/** What the redaction of JSON depends on. */
export interface JsonSettings extends Pick<TextSettings, 'salt' | 'hidden' | 'isPublic'> {
  readonly texts: TextRedactor
  readonly places: RedactedPlaces
  /** Which texts are inputs and outputs; undefined if these are kept. */
  readonly content: ContentFields | undefined
}

/** Removes secrets, files and redacted values from JSON. */
export class JsonRedactor {
  readonly #settings: JsonSettings

  constructor(settings: JsonSettings) {
    this.#settings = settings
  }

  /** Copies a value without what must not be written. */
  redact(value: JsonValue, side: Side, place: Place = []): JsonValue {
    if (this.#isRedacted(place, side)) return this.#hideAll(value)
    if (typeof value === 'string') return this.#text(value, side, place)
    if (Array.isArray(value))
      return value.map((item, index) => this.redact(item, side, [...place, String(index)]))
    if (!isJsonObject(value)) return value
    return mapped(value, this.#settings.texts, (inner, name) =>
      isSecretField(name, inner) ? this.#mask(inner) : this.redact(inner, side, [...place, name]),
    )
  }

  #isRedacted(place: Place, side: Side): boolean {
    const { places } = this.#settings
    return side === 'request' ? places.isInRequest(place) : places.isInAnswer(place)
  }

  /** The redacted text of a value. Its texts must not be anywhere else. */
  #hideAll(value: JsonValue): JsonValue {
    const { salt, hidden, isPublic } = this.#settings
    if (typeof value === 'string' && REDACTED.test(value)) return value
    for (const text of textsIn(value)) if (!isPublic(text)) hidden.add(text, redactedText(salt, text))
    return redactedText(salt, value)
  }

  #text(text: string, side: Side, place: Place): string {
    const { texts, content } = this.#settings
    if (REDACTED.test(text)) return text
    if (content?.isContent(text, place, side)) return this.#content(text, side, content)
    const nested = JSON_START.test(text) ? parseJson(text) : undefined
    if (nested === undefined) return texts.redact(text)
    const redacted = JSON.stringify(this.redact(nested, side, place))
    return redacted === JSON.stringify(nested) ? texts.redact(text) : redacted
  }

  #content(text: string, side: Side, content: ContentFields): string {
    const { texts, salt, hidden, isPublic } = this.#settings
    const redacted = content.redact(text, side, salt)
    // An answer may repeat an input, and secrets in it.
    if (side === 'request' && text.length >= SHORTEST_INPUT && !isPublic(text)) hidden.add(text, redacted)
    texts.redact(text)
    return redacted
  }

  #mask(value: JsonValue): JsonValue {
    if (typeof value === 'string') {
      if (value === '' || value === MASK) return value
      this.#settings.texts.hide(value)
      return MASK
    }
    if (Array.isArray(value)) return value.map((item) => this.#mask(item))
    return isJsonObject(value) ? mapped(value, this.#settings.texts, (inner) => this.#mask(inner)) : value
  }
}

/** Copies an object with other values. Also removes secrets from the names of its fields. */
function mapped(
  object: JsonObject,
  texts: TextRedactor,
  change: (value: JsonValue, name: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [texts.redact(name), change(value, name)]),
  )
}
