import type { JsonObject, JsonValue } from '../engine/json.js'

/** The code and the message in the parsed body of a rejection of any style. */
export function readRejection(body: JsonObject): { code: string | undefined; message: string | undefined } {
  const { error, title, detail } = body as { [field: string]: JsonValue | undefined }
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as JsonObject
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : undefined)
  return { code: text(code ?? title), message: text(message ?? detail) }
}
