import type { Dialect } from '../../dialects/dialect.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { Redactor } from '../../record/recording/redact/redactor.js'

const SHORTEST_KEY = 4
const KEY_MARK = '[API key]'

/** Removes keys, tokens and the signatures of URLs from tasks, as recordings do. */
export function withoutSecrets(
  tasks: readonly JsonObject[],
  { dialect, origin, key }: { readonly dialect: Dialect; readonly origin: string; readonly key: string },
): JsonObject[] {
  // A new one for each page: it remembers every secret that it has seen.
  const redactor = new Redactor(dialect, { upstream: [origin], salt: '' })
  const redacted = redactor.requestBody([...tasks])
  const text = JSON.stringify(redacted)
  const mark = JSON.stringify(KEY_MARK).slice(1, -1)
  const kept: JsonValue =
    key.length < SHORTEST_KEY ? redacted : JSON.parse(text.replaceAll(JSON.stringify(key).slice(1, -1), mark))
  return Array.isArray(kept) ? kept.filter(isJsonObject) : []
}
