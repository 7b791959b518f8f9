import type { JsonValue } from '../../../engine/json.js'
import { eventsIn, type SeenExchange } from '../../../record/exchanges/seen-exchange.js'
import type { PassedExchange } from '../../../record/recording/passed-exchange.js'
import { parseShallow } from '../../../record/recording/shallow-json.js'

const decoder = new TextDecoder()

/** An exchange that passed through the proxy, without what does not show tasks. */
export function seenExchange({ at, took, request, response }: PassedExchange): SeenExchange {
  const { pieces = [] } = response ?? {}
  return {
    at,
    answeredAt: at + took,
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: jsonIn(request.body),
    answer: response && {
      status: response.status,
      headers: response.headers,
      body: jsonIn(response.body),
      events: eventsIn(pieces.map(([after, text]) => [at + after, text])),
    },
  }
}

/** The text of a body; undefined if it is no text that a person would read. */
export function textIn(body: Uint8Array, type = ''): string | undefined {
  return /json|text|urlencoded|xml/i.test(type) && body.length > 0 ? decoder.decode(body) : undefined
}

/** The JSON of a body; undefined if it is none. */
export function jsonIn(body: Uint8Array): JsonValue | undefined {
  return parseShallow(decoder.decode(body))
}
