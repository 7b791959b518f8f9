import type { JsonObject, JsonValue } from '../engine/json.js'
import type { Reply } from './exchange.js'

/** Answers with a JSON body. */
export function json(status: number, body: object): Reply {
  return jsonText(status, JSON.stringify(body))
}

/** Answers with a body that is already serialized. */
export function jsonText(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** The content of a rejection, such as a `Problem`. */
export interface Rejection {
  readonly status: number
  readonly code: string
  readonly message: string
  /** The invalid field or parameter. */
  readonly param: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Further fields, next to the message. */
  readonly details?: object
  /** What exactly was wrong, such as `missing_key`, where services distinguish more than the code does. */
  readonly cause?: string | undefined
  /** The code in the words of the service, if a scenario or its wire format gives one. */
  readonly ownCode?: string | undefined
  /** The invalid value. */
  readonly given?: JsonValue | undefined
}

/** Answers with a rejection in the envelope `{ "error": { ... } }`. */
export function errorReply(rejection: Rejection, requestId: string): Reply {
  const { status, code, message, param, headers, details } = rejection
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { code, message, param, request_id: requestId, ...details } }),
  }
}

/** The code and the message in the parsed body of a rejection of any style. */
export function readRejection(body: JsonObject): { code: string | undefined; message: string | undefined } {
  const { error, title, detail } = body as { [field: string]: JsonValue | undefined }
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as JsonObject
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : undefined)
  return { code: text(code ?? title), message: text(message ?? detail) }
}

/** In characters. Shorter replies do not count. */
const SHORT = 65_536

/**
 * The bytes of a long reply, which a host counts as a transfer until it is sent: clients that do not read their answers
 * could fill the memory. Files do not count, because all replies with a file share its bytes.
 */
export function bytesOfReply({ body }: Reply): number {
  return typeof body === 'string' && body.length >= SHORT ? body.length : 0
}
