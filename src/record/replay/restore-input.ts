import type { JsonObject, JsonValue } from '../../engine/json.js'
import { hashOf, redactedText } from '../recording/redacted-text.js'
import { textsIn } from '../recording/shallow-json.js'
import { redactedFields, valueAt } from './redacted-fields.js'

/** Writes the values of an order into JSON in which they are redacted. */
export type Restore = (json: string) => string

const REDACTED = /(?<!\\)"(\[redacted [0-9a-f]{32}\])"|\[redacted [0-9a-f]{32}\]/g
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
      .replace(REDACTED, (text, whole?: string) => {
        const value = values.get(whole ?? text)
        if (value === undefined) return text
        return whole === undefined ? inText(value) : JSON.stringify(value)
      })
      .replace(REDACTED_URL, (url, hash: string) => inText(files.get(hash) ?? url))
}

/** A value as a part of a JSON text. */
function inText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return JSON.stringify(text).slice(1, -1)
}
