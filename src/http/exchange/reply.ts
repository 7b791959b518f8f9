import type { JsonObject, JsonValue } from '../../engine/json.js'
import type { ErrorStyle } from '../../scenario/model/layer.js'
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
}

/** Answers with a rejection in the given style. */
export function rejection(problem: Rejection, requestId: string, style: ErrorStyle): Reply {
  const { status, headers } = problem
  return {
    status,
    headers: {
      'content-type': style === 'problem' ? 'application/problem+json' : 'application/json',
      ...headers,
    },
    body: JSON.stringify(bodyOf(problem, requestId, style)),
  }
}

function bodyOf(
  { code, message, param, status, details }: Rejection,
  requestId: string,
  style: ErrorStyle,
): object {
  switch (style) {
    case 'envelope':
      return { error: { code, message, param, request_id: requestId, ...details } }
    case 'problem':
      return {
        type: 'about:blank',
        title: code,
        status,
        detail: message,
        param,
        request_id: requestId,
        ...details,
      }
    case 'detail':
      return { detail: message, ...details }
  }
}

/** The code and the message in the parsed body of a rejection of any style. */
export function readRejection(body: JsonObject): { code: string | undefined; message: string | undefined } {
  const { error, title, detail } = body as { [field: string]: JsonValue | undefined }
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as JsonObject
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : undefined)
  return { code: text(code ?? title), message: text(message ?? detail) }
}
