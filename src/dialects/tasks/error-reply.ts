import type { Reply } from '../../http/exchange/exchange.js'
import { errorReply, type Rejection } from '../../http/exchange/reply.js'
import type { ErrorStyle } from '../../scenario/model/layer.js'

/** Answers with a rejection in the style of the scenario. */
export function styledError(rejection: Rejection, requestId: string, style: ErrorStyle): Reply {
  if (style === 'envelope') return errorReply(rejection, requestId)
  const { status, code, message, param, headers, details } = rejection
  return style === 'problem'
    ? {
        status,
        headers: { 'content-type': 'application/problem+json', ...headers },
        body: JSON.stringify({
          type: 'about:blank',
          title: code,
          status,
          detail: message,
          param,
          request_id: requestId,
          ...details,
        }),
      }
    : {
        status,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ detail: message, ...details }),
      }
}
