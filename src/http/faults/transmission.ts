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
import type { Reply, Transmission } from '../../exchange/exchange.js'
import { returning } from '../live-reply.js'

/** Waits for some milliseconds on the simulator's clock, or until the client has left. */
export type Pause = (milliseconds: number) => Promise<void>

type Pieces = AsyncIterable<Uint8Array>

type Stream = Extract<Transmission, { pieces: unknown }>

/** The transmission of a reply with a fault; empty if the reply is sent as a whole and at once. */
export function transmissionOf(
  { body, transmission }: Reply,
  fault: Fault,
  pause: Pause,
): { transmission?: Transmission } {
  const { hang, reset, cut, bytes_per_second: speed } = fault
  if (hang) return { transmission: { hangs: true } }
  if (reset === 'before' || reset === 'during') return { transmission: { ends: reset } }
  const share = reset === 'after' ? 0 : cut
  if (share === undefined && speed === undefined) return {}
  if (body === undefined && transmission !== undefined && 'pieces' in transmission)
    return { transmission: { ...faultyStream(transmission, share, speed, pause), resets: reset === 'after' } }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
  const sent = share === undefined ? bytes : bytes.subarray(0, Math.floor(bytes.length * share))
  const pieces = speed === undefined ? whole(sent) : slow(sent, speed, pause)
  if (reset === 'after') return { transmission: { pieces: cutOff(pieces), isWhole: false, resets: true } }
  const isWhole = sent.length === bytes.length
  return { transmission: { pieces: isWhole ? pieces : cutOff(pieces), isWhole } }
}

/** A stream that ends early, or is sent slowly. The share is one of the pieces that will probably appear. */
function faultyStream(
  stream: Stream,
  share: number | undefined,
  speed: number | undefined,
  pause: Pause,
): Stream {
  const paced = speed === undefined ? stream.pieces : slowStream(stream.pieces, speed, pause)
  if (share === undefined) return { ...stream, pieces: returning(paced, stream.pieces) }
  const count = Math.floor(share * (stream.expected?.() ?? 1))
  return { ...stream, pieces: returning(cutOff(first(paced, count)), stream.pieces), isWhole: false }
}

async function* first(pieces: Pieces, count: number): Pieces {
  if (count === 0) return
  let sent = 0
  for await (const piece of pieces) {
    yield piece
    if (++sent === count) return
  }
}

async function* slowStream(pieces: Pieces, bytesPerSecond: number, pause: Pause): Pieces {
  let before = 0
  for await (const piece of pieces) {
    if (before > 0) await pause(Math.round((1_000 * before) / bytesPerSecond))
    yield* slow(piece, bytesPerSecond, pause)
    before = Math.min(piece.length, Math.ceil(bytesPerSecond / PIECES_PER_SECOND))
  }
}

async function* whole(bytes: Uint8Array): Pieces {
  if (bytes.length > 0) yield bytes
}

const PIECES_PER_SECOND = 10

/** The speed is in bytes per second of the simulator's clock. */
async function* slow(bytes: Uint8Array, bytesPerSecond: number, pause: Pause): Pieces {
  const step = Math.ceil(bytesPerSecond / PIECES_PER_SECOND)
  for (let start = 0; start < bytes.length; start += step) {
    if (start > 0) await pause(Math.round((1_000 * step) / bytesPerSecond))
    yield bytes.subarray(start, start + step)
  }
}

/** Fails after the last piece, so that the host closes the connection. */
async function* cutOff(pieces: Pieces): Pieces {
  yield* pieces
  throw new Error('The connection was cut.')
}

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
  const items = page.map((item) => {
    const { id = '' } = answeredTask(Object(item), shape)
    return inTask(item, shape, (task) => withFields(task, changes.get(id) ?? {}))
  })
  return { ...reply, body: JSON.stringify({ ...body, [shape.list]: items }) }
}

/** Changes the task in an answer, or in an item of a list. */
function inTask(answer: JsonValue, shape: AnswerShape, change: (task: JsonObject) => JsonValue): JsonValue {
  if (!isJsonObject(answer)) return answer
  const holder = holderIn(answer, shape)
  const changed = change(taskInAnswer(answer, shape))
  return holder === undefined ? changed : { ...answer, [holder]: changed }
}
