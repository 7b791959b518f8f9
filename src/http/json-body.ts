import { type Awaitable, after, yieldToEventLoop } from '../engine/awaitable.js'
import { fingerprintOf } from '../engine/digest.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../engine/json.js'
import type { ApiRequest } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import { DEFAULTS } from '../scenario/defaults.generated.js'
import type { Exchange } from './operation.js'
import { checkEncoding, readBytes } from './read-bytes.js'

/** The largest accepted body, in bytes. */
const MAX_BYTES = 10 * 1024 * 1024

/** The longest body that the journal keeps, in bytes of a request or characters of an answer. */
export const MAX_RECORDED = 16_384

const LIMIT = { bytes: MAX_BYTES, problem: 'The body is larger than 10 MB. Pass large data by URL instead.' }
const MAX_LEVELS = 100

/** In bytes. Work on a larger body yields to the event loop after each step. */
const LARGE = 100_000
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const decoder = new TextDecoder('utf-8', { fatal: true })
const lenientDecoder = new TextDecoder()

/**
 * Reads the JSON object in the body of a request, once for all callers.
 * @param acceptsForms whether the caller reads multipart forms otherwise
 * @throws Problem 400, 413 or 415
 */
export function readJsonObject(exchange: Exchange, acceptsForms = false): Awaitable<JsonObject> {
  const { request, body } = exchange
  if (body.json !== undefined) return body.json
  checkType(request, acceptsForms)
  body.json = after(readBytes(exchange, LIMIT), (bytes) => objectIn(bytes, exchange))
  return body.json
}

/**
 * Reads the JSON object in the body of a request, or returns an empty object if the body is empty or has no
 * Content-Type.
 * @throws Problem 400, 413 or 415
 */
export function readOptionalJsonObject(exchange: Exchange): Awaitable<JsonObject> {
  exchange.body.json ??= readOptional(exchange)
  return exchange.body.json
}

/** Whether the body of a request is so large that each step of its answer takes long. */
export function isLarge({ body: { transfer } }: Exchange): boolean {
  return transfer !== undefined && transfer.bytes > LARGE
}

/** Whether a Content-Type is that of a form with parts. */
export function isFormType(type: string): boolean {
  return /^multipart\/form-data\s*;/i.test(type)
}

async function readOptional(exchange: Exchange): Promise<JsonObject> {
  const { request } = exchange
  if (request.header('content-type') === undefined) return {}
  // A fetch request has no Content-Length, so only its bytes show whether it is empty.
  const bytes = await readBytes(exchange, LIMIT)
  if (bytes.length === 0) return {}
  checkType(request)
  return objectIn(bytes, exchange)
}

function objectIn(bytes: Uint8Array, exchange: Exchange): Awaitable<JsonObject> {
  checkSize(bytes, exchange)
  return bytes.length > LARGE
    ? largeObjectIn(bytes, exchange)
    : parseObject(textIn(bytes, exchange), exchange)
}

async function largeObjectIn(bytes: Uint8Array, exchange: Exchange): Promise<JsonObject> {
  await yieldToEventLoop()
  const text = textIn(bytes, exchange)
  await yieldToEventLoop()
  const value = parseObject(text, exchange)
  await yieldToEventLoop()
  return value
}

/** @returns undefined if the bytes are not UTF-8 */
function textIn(bytes: Uint8Array, { note }: Exchange): string | undefined {
  note.bodyHash = fingerprintOf(bytes)
  let text: string | undefined
  try {
    text = decoder.decode(bytes)
  } catch {
    text = undefined
  }
  if (bytes.length <= MAX_RECORDED) note.requestBody = text ?? lenientDecoder.decode(bytes)
  return text
}

function parseObject(text: string | undefined, { dialect }: Exchange): JsonObject {
  if (text === undefined) throw new Problem('invalid_json', 'The body is not valid UTF-8.')
  if (text === '') throw new Problem('invalid_json', 'The body is empty. Send a JSON object.')
  let value: JsonValue
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem(
      'invalid_json',
      `The body is not valid JSON (${(error as Error).message.slice(0, 200)}).`,
    )
  }
  if (isJsonObject(value)) return value
  const example = dialect === undefined ? 'see /_sim/docs' : 'such as {"model": "...", "input": {...}}'
  throw new Problem('invalid_request', `The body must be a JSON object, ${example}.`)
}

/** Rejects a body that would take too long to parse. */
function checkSize(bytes: Uint8Array, { sim, dialect }: Exchange): void {
  const isControl = dialect === undefined
  // The limit of a scenario must not lock its user out of the control API.
  const mostValues = isControl ? DEFAULTS.api.max_values : sim.scenario.api.max_values
  const { values, depth } = measureJson(bytes, { values: mostValues, depth: MAX_LEVELS })
  if (depth > MAX_LEVELS) {
    throw new Problem(
      'invalid_request',
      `The body is nested more than ${MAX_LEVELS} levels deep. Send a flatter one.`,
    )
  }
  if (values <= mostValues) return
  const remedy = isControl ? '' : ', pass large data by URL, or raise `api.max_values` in the scenario'
  throw new Problem(
    'payload_too_large',
    `The body holds more than ${mostValues} JSON values, such as texts, numbers and objects. Send fewer${remedy}.`,
  )
}

function checkType(request: ApiRequest, acceptsForms = false): void {
  checkEncoding(request)
  const type = request.header('content-type')
  if (type !== undefined && JSON_TYPE.test(type)) return
  const given =
    type === undefined ? 'The request has no Content-Type' : `The Content-Type ${type} is not supported`
  const others = acceptsForms ? ', or a form with `Content-Type: multipart/form-data; boundary=...`' : ''
  throw new Problem(
    'unsupported_media_type',
    `${given}. Send JSON with \`Content-Type: application/json\`${others}.`,
  )
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const BLANK = 0x20
const OPENING = 0x7b
const CLOSING = 0x7d

/** The size of a JSON value: it determines how long parsing and walking take. */
interface JsonMeasure {
  /** The number of values, including the value itself and empty objects, without keys. */
  readonly values: number
  /** The number of nested objects and arrays. */
  readonly depth: number
}

/**
 * Measures JSON in one pass over its UTF-8, so that a value which would block the parser for seconds is never parsed.
 * For bytes that are not JSON, the result is meaningless, but measuring takes no longer.
 * @param limits measuring stops at the first value or level beyond these limits
 */
export function measureJson(bytes: Uint8Array, limits: JsonMeasure): JsonMeasure {
  let values = 1
  let level = 0
  let depth = 0
  let isAtStart = false
  for (let index = 0; index < bytes.length && values <= limits.values && depth <= limits.depth; index++) {
    const byte = bytes[index] as number
    if (byte <= BLANK) continue
    // Square and curly brackets differ in one bit.
    const isEnd = (byte | BLANK) === CLOSING
    if (isAtStart && !isEnd) values += 1
    isAtStart = (byte | BLANK) === OPENING
    if (byte === QUOTE) {
      // On to the quote that ends the string.
      for (index++; index < bytes.length && bytes[index] !== QUOTE; index++)
        if (bytes[index] === BACKSLASH) index += 1
    } else if (byte === COMMA) values += 1
    else if (isEnd) level -= 1
    else if (isAtStart) depth = Math.max(depth, ++level)
  }
  return { values, depth }
}
