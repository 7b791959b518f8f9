import type { AnswerShape } from '../../dialects/dialect.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Fault } from '../../engine/requests/fault.js'
import type { Reply } from '../exchange/exchange.js'

/**
 * Alters the body of a reply as a fault requires.
 * @param shape where an answer holds tasks
 */
export function alteredBody(reply: Reply, fault: Fault, shape: AnswerShape): Reply {
  const { patch, body, content_type: contentType } = fault
  let altered = reply
  if (patch !== undefined) altered = patched(altered, patch, shape)
  if (body !== undefined) altered = replaced(altered, body, shape)
  if (contentType === undefined) return altered
  return { ...altered, headers: { ...altered.headers, 'content-type': contentType } }
}

function replaced(reply: Reply, body: NonNullable<Fault['body']>, shape: AnswerShape): Reply {
  switch (body) {
    case 'empty':
      return { ...reply, body: '' }
    case 'html':
      return {
        ...reply,
        headers: { ...reply.headers, 'content-type': 'text/html' },
        body: errorPage(reply.status),
      }
    case 'invalid_json':
      return { ...reply, body: beginning(reply.body) }
    case 'duplicate_status':
      return { ...reply, body: withTwoStatuses(reply.body, shape) }
  }
}

/** The error page of a proxy. */
function errorPage(status: number): string {
  return `<!DOCTYPE html>\n<html>\n<head><title>${status}</title></head>\n<body>\n<h1>${status}</h1>\n<p>The server could not complete the request.</p>\n<hr>\n</body>\n</html>\n`
}

/** Two thirds of the body, which are not valid JSON. */
function beginning(body: Reply['body'] = ''): Reply['body'] {
  return body.slice(0, Math.min(Math.ceil((body.length * 2) / 3), Math.max(0, body.length - 1)))
}

function withTwoStatuses(body: Reply['body'], { status, words }: AnswerShape): Reply['body'] {
  if (typeof body !== 'string') return body
  const processing = Object.keys(words).find((word) => words[word] === 'processing')
  const pair = new RegExp(`"${status}":"\\w+"`)
  return body.replace(pair, (found) => `"${status}":"${processing}",${found}`)
}

/** Merges a patch into the task of a reply, or into each task of a page. */
function patched(reply: Reply, patch: JsonObject, { list, task }: AnswerShape): Reply {
  if (typeof reply.body !== 'string' || reply.status >= 300) return reply
  const parsed: JsonObject = JSON.parse(reply.body)
  const page = parsed[list]
  const body = Array.isArray(page)
    ? { ...parsed, [list]: page.map((item) => patchedTask(item, patch, task)) }
    : patchedTask(parsed, patch, task)
  return { ...reply, body: JSON.stringify(body) }
}

/** @param holder the field of the answer that holds the task, if the answer wraps it */
function patchedTask(answer: JsonValue, patch: JsonObject, holder = ''): JsonValue {
  const held = isJsonObject(answer) ? answer[holder] : undefined
  return isJsonObject(held) ? { ...Object(answer), [holder]: merged(held, patch) } : merged(answer, patch)
}

/** JSON Merge Patch (RFC 7396). */
function merged(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const fields = new Map(Object.entries(isJsonObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name)
    else fields.set(name, merged(fields.get(name) ?? null, value))
  }
  return Object.fromEntries(fields)
}
