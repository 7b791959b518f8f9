import { fingerprintOf } from '../core/fingerprint.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { isDeeperThan } from '../core/task/canonical.js'
import type { ApiRequest } from './exchange.js'
import type { Exchange } from './operation.js'
import { Problem } from './problem.js'

/** The largest body that the API takes, in bytes. */
export const MOST_BYTES = 10 * 1024 * 1024
/** A longer body is not remembered, in bytes of a request or characters of an answer. */
export const MOST_REMEMBERED = 16_384
const MOST_LEVELS = 100
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

const decoder = new TextDecoder('utf-8', { fatal: true })
const lenientDecoder = new TextDecoder()

/**
 * Reads the JSON object that a request carries; once, however often it is asked for.
 * @throws Problem 400, 413 or 415, which says what to send instead
 */
export function readJsonObject(exchange: Exchange): Promise<JsonObject> {
  exchange.json ??= read(exchange)
  return exchange.json
}

async function read({ request, isControl, note }: Exchange): Promise<JsonObject> {
  checkType(request)
  const bytes = await request.body(MOST_BYTES)
  if (bytes === undefined) {
    throw new Problem('payload_too_large', 'The body is larger than 10 MB. Pass large data by URL instead.')
  }
  note.bodyHash = fingerprintOf(bytes)
  const text = decoded(bytes)
  if (bytes.length <= MOST_REMEMBERED) note.requestBody = text ?? lenientDecoder.decode(bytes)
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const example = isControl ? 'see /_sim/docs' : 'such as {"model": "...", "input": {...}}'
    throw new Problem('invalid_request', `The body must be a JSON object, ${example}.`)
  }
  if (isDeeperThan(value, MOST_LEVELS)) {
    throw new Problem(
      'invalid_request',
      `The body is nested more than ${MOST_LEVELS} levels deep. Send a flatter one.`,
    )
  }
  return value
}

function checkType(request: ApiRequest): void {
  const encoding = request.header('content-encoding')
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem(
      'unsupported_media_type',
      `The content encoding ${encoding} is not supported. Send the body as it is.`,
    )
  }
  const type = request.header('content-type')
  if (type !== undefined && JSON_TYPE.test(type)) return
  const given =
    type === undefined ? 'The request has no Content-Type' : `The Content-Type ${type} is not supported`
  throw new Problem('unsupported_media_type', `${given}. Send JSON with \`Content-Type: application/json\`.`)
}

/** @returns undefined where the bytes are no UTF-8 */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function parse(text: string | undefined): JsonValue {
  if (text === undefined) throw new Problem('invalid_json', 'The body is not valid UTF-8.')
  if (text === '') throw new Problem('invalid_json', 'The body is empty. Send a JSON object.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem(
      'invalid_json',
      `The body is not valid JSON (${(error as Error).message.slice(0, 200)}).`,
    )
  }
}
