import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { redactedText } from '../recording/redacted-text.js'
import { type RedactedField, redactedFields, replacedAt, unmasks, valueAt } from './redacted-fields.js'
import { bareUrl } from './rewrite.js'

const HTTP_URL = /^https?:\/\//
const USER_INFO = /^(https?:\/\/)[^/@]*@/
/** The path of a file that a client has uploaded to a simulator. */
const OWN_UPLOAD = /\/files\/(?:sb_[\w-]+\/)?uploads\/[a-z0-9]{24}\//
const UPLOAD = '[upload]'

/**
 * Finds the recorded order that equals an order. Redacted values are compared by their hashes, texts with masked parts by
 * their other parts, and URLs without their query, which may be a signature. All uploads are equal, because each run gets
 * other URLs for them.
 */
export class OrderKeys {
  readonly #salt: string
  readonly #uploads: ReadonlySet<string>
  /** The keys of the recorded orders. */
  readonly #known = new Set<string>()
  /** For each model, the sets of fields that are redacted in its inputs. */
  readonly #redacted = new Map<string, Map<string, readonly RedactedField[]>>()

  /**
   * @param salt the key of the hashes
   * @param uploads the URLs of uploads in the recording
   */
  constructor(salt: string, uploads: ReadonlySet<string>) {
    this.#salt = salt
    this.#uploads = uploads
  }

  /** Adds a recorded order. @returns its key */
  add(model: string, input: JsonObject): string {
    const fields = [...redactedFields(input, (text) => this.#normalizedText(text))]
    const sets = this.#redacted.get(model) ?? new Map<string, readonly RedactedField[]>()
    this.#redacted.set(model, sets.set(JSON.stringify(fields), fields))
    const key = this.#keyOf(model, input)
    this.#known.add(key)
    return key
  }

  /** The key of an equal recorded order; undefined if there is none. */
  find(model: string, input: JsonObject): string | undefined {
    for (const fields of this.#redacted.get(model)?.values() ?? []) {
      const redacted = this.#redact(input, fields)
      const key = redacted === undefined ? undefined : this.#keyOf(model, redacted)
      if (key !== undefined && this.#known.has(key)) return key
    }
    return undefined
  }

  #keyOf(model: string, input: JsonValue): string {
    return `${JSON.stringify(model)}${canonicalJson(this.#normalized(input))}`
  }

  #normalized(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#normalizedText(value)
    if (Array.isArray(value)) return value.map((inner) => this.#normalized(inner))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#normalized(inner)]))
  }

  #normalizedText(text: string): string {
    if (!HTTP_URL.test(text)) return text
    const bare = bareUrl(text).replace(USER_INFO, '$1')
    return this.#uploads.has(bare) || OWN_UPLOAD.test(bare) ? UPLOAD : bare
  }

  /** The input as a recording shows it; undefined if it does not have these fields. */
  #redact(input: JsonObject, fields: readonly RedactedField[]): JsonValue | undefined {
    return fields.reduce<JsonValue | undefined>((redacted, field) => {
      const value = valueAt(redacted, field.path)
      const text = value === undefined ? undefined : this.#redactedText(value, field)
      return redacted === undefined || text === undefined ? undefined : replacedAt(redacted, field.path, text)
    }, input)
  }

  #redactedText(value: JsonValue, { masked }: RedactedField): string | undefined {
    const hashOf = (each: JsonValue) => redactedText(this.#salt, each)
    if (masked === undefined) return hashOf(value)
    const isEqual = typeof value === 'string' && unmasks(this.#normalizedText(value), masked, hashOf)
    return isEqual ? masked : undefined
  }
}
