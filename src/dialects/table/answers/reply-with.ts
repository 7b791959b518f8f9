import type { Reply } from '../../../exchange/exchange.js'
import { jsonText } from '../../../exchange/reply.js'
import type { Read } from '../template/compile.js'

/** Answers with JSON, or without a body if the status is 204. */
export function replyWith(status: number, write: () => string): Reply {
  return status === 204 ? { status, headers: {}, body: undefined } : jsonText(status, write())
}

/** Answers with a filled template; with an empty object if it has no value. */
export function replyFrom<Scope>(status: number, read: Read<Scope>, scope: Scope): Reply {
  return replyWith(status, () => JSON.stringify(read(scope) ?? {}))
}
