import type { JsonValue } from '../../engine/json.js'
import type { Rejection } from '../../http/exchange/reply.js'
import type { Dialect } from '../dialect.js'
import type { ErrorForm } from './dialect-table.js'
import { compileTemplate, type Values } from './template/compile.js'

interface ErrorScope {
  readonly rejection: Rejection
  readonly requestId: string
  readonly type: string | undefined
}

/** The values in the template of a rejection. */
export const ERROR_VALUES = {
  status: ({ rejection }) => rejection.status,
  code: ({ rejection }) => rejection.code,
  message: ({ rejection }) => rejection.message,
  param: ({ rejection }) => rejection.param,
  type: ({ type }) => type,
  details: ({ rejection }) => rejection.details as JsonValue | undefined,
  request_id: ({ requestId }) => requestId,
} satisfies Values<ErrorScope>

/** Returns a function that writes rejections in the form of a table. */
export function errorWriter({
  body,
  by_status: byStatus = {},
  content_type: contentType = 'application/json',
  types = {},
}: ErrorForm): Dialect['error'] {
  const read = compileTemplate<ErrorScope>(body, ERROR_VALUES)
  const others = new Map(
    Object.entries(byStatus).map(([status, own]) => [
      Number(status),
      compileTemplate<ErrorScope>(own, ERROR_VALUES),
    ]),
  )
  return (rejection, requestId) => {
    const type = types[rejection.status]
    return {
      status: rejection.status,
      headers: { 'content-type': contentType, ...rejection.headers },
      body: JSON.stringify((others.get(rejection.status) ?? read)({ rejection, requestId, type }) ?? {}),
    }
  }
}
