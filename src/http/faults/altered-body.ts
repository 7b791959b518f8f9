import {
  type FieldChanges,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  merged,
  parseJson,
  withFields,
} from '../../engine/json.js'
import type { Fault } from '../../engine/requests/fault.js'
import { type AnswerShape, answeredTask, holderIn, taskInAnswer } from '../../engine/tasks/answered-task.js'
import type { Reply } from '../../exchange/exchange.js'

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
function patched(reply: Reply, patch: JsonObject, shape: AnswerShape): Reply {
  if (typeof reply.body !== 'string' || reply.status >= 300) return reply
  const merge = (task: JsonObject) => merged(task, patch)
  const parsed: JsonObject = JSON.parse(reply.body)
  const page = parsed[shape.list]
  const body = Array.isArray(page)
    ? { ...parsed, [shape.list]: page.map((item) => inTask(item, shape, merge)) }
    : inTask(parsed, shape, merge)
  return { ...reply, body: JSON.stringify(body) }
}

/** Changes fields of the tasks of a reply, by their ids. */
export function withChanges(
  reply: Reply,
  changes: ReadonlyMap<string, FieldChanges>,
  shape: AnswerShape,
): Reply {
  if (changes.size === 0 || typeof reply.body !== 'string' || reply.status >= 300) return reply
  const body = parseJson(reply.body)
  if (!isJsonObject(body)) return reply
  const page = body[shape.list]
  if (!Array.isArray(page)) {
    const [fields = {}] = changes.values()
    return { ...reply, body: JSON.stringify(inTask(body, shape, (task) => withFields(task, fields))) }
  }
  const items = page.map((item) =>
    inTask(item, shape, (task) => withFields(task, changes.get(answeredTask(task, shape).id ?? '') ?? {})),
  )
  return { ...reply, body: JSON.stringify({ ...body, [shape.list]: items }) }
}

/** Changes the task in an answer, or in an item of a list. */
function inTask(answer: JsonValue, shape: AnswerShape, change: (task: JsonObject) => JsonValue): JsonValue {
  if (!isJsonObject(answer)) return answer
  const holder = holderIn(answer, shape)
  const changed = change(taskInAnswer(answer, shape))
  return holder === undefined ? changed : { ...answer, [holder]: changed }
}
