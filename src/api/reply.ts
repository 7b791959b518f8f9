import type { ErrorStyle } from '../core/scenario/scenario.js'
import type { Reply } from './exchange.js'
import type { Problem } from './problem.js'

/** Answers with a JSON body. */
export function json(status: number, body: object): Reply {
  return jsonText(status, JSON.stringify(body))
}

/** Answers with a body that is JSON already. */
export function jsonText(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** Words a rejection the way the scenario wants. */
export function rejection(problem: Problem, requestId: string, style: ErrorStyle): Reply {
  const { status, headers } = problem
  return {
    status,
    headers: {
      'content-type': style === 'problem' ? 'application/problem+json' : 'application/json',
      ...headers,
    },
    body: JSON.stringify(wording(problem, requestId, style)),
  }
}

function wording({ code, message, param, status }: Problem, requestId: string, style: ErrorStyle): object {
  switch (style) {
    case 'envelope':
      return { error: { code, message, param, request_id: requestId } }
    case 'problem':
      return { type: 'about:blank', title: code, status, detail: message, param, request_id: requestId }
    case 'detail':
      return { detail: message }
  }
}
