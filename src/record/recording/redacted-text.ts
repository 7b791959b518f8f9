import { canonicalJson, type JsonValue } from '../../engine/json.js'
import { Hmac } from '../../engine/sha256.js'

/** Bytes of a hash that are written. */
const LENGTH = 16

/**
 * The text that replaces a redacted value in a recording, such as `[redacted 0123456789abcdef0123456789abcdef]`. Equal
 * values have equal texts in one recording, so that an equal request is recognized.
 * @param salt the salt of the recording, whose characters are the key of the HMAC-SHA256
 */
export function redactedText(salt: string, value: JsonValue): string {
  return `[redacted ${hashOf(salt, canonicalJson(value), LENGTH)}]`
}

/** A text that {@link redactedText} has written. */
export const REDACTED = /^\[redacted [0-9a-f]{32}\]$/

/** The name of an API key in a recording, such as `key_0123abcd`. */
export function keyName(salt: string, key: string): string {
  return `key_${hashOf(salt, key, 4)}`
}

/** The start of the HMAC-SHA256 of a text, in hexadecimal digits. */
export function hashOf(salt: string, text: string, bytes: number): string {
  return new Hmac(salt).hex(text).slice(0, 2 * bytes)
}
