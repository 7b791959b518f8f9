import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Fault } from '../../engine/requests/fault.js'
import type { Reply } from '../exchange/exchange.js'

/**
 * Alters the body of a reply as a fault requires.
 * @param lastAnswer the last answer about the task, if known
 */
export function alteredBody(reply: Reply, fault: Fault, lastAnswer: string | undefined): Reply {
  const { stale, patch, body, content_type: contentType } = fault
  let altered =
    stale && lastAnswer !== undefined && reply.status < 300 ? { ...reply, body: lastAnswer } : reply
  if (patch !== undefined) altered = patched(altered, patch)
  if (body !== undefined) altered = replaced(altered, body)
  if (contentType === undefined) return altered
  return { ...altered, headers: { ...altered.headers, 'content-type': contentType } }
}

function replaced(reply: Reply, body: NonNullable<Fault['body']>): Reply {
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
      return { ...reply, body: withTwoStatuses(reply.body) }
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

function withTwoStatuses(body: Reply['body']): Reply['body'] {
  if (typeof body !== 'string') return body
  return body.replace(/"status":"\w+"/, (status) => `"status":"processing",${status}`)
}

/** Merges a patch into the task of a reply, or into each task of a page. */
function patched(reply: Reply, patch: JsonObject): Reply {
  if (typeof reply.body !== 'string' || reply.status >= 300) return reply
  const parsed: JsonObject = JSON.parse(reply.body)
  const { data } = parsed
  const body = Array.isArray(data)
    ? { ...parsed, data: data.map((task) => merged(task, patch)) }
    : merged(parsed, patch)
  return { ...reply, body: JSON.stringify(body) }
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
