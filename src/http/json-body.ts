import { fingerprintOf } from '../engine/fingerprint.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../engine/json.js'
import { type InputSurvey, shortened, surveyInput } from '../engine/tasks/survey-input.js'
import { yieldToEventLoop } from '../engine/yield-to-event-loop.js'
import { DEFAULTS } from '../scenario/model/defaults.js'
import type { ApiRequest } from './exchange.js'
import { measureJson } from './measure-json.js'
import type { Exchange } from './operation.js'
import { overBudget, Problem } from './problem.js'
import { Transfer } from './transfer.js'

/** The largest body that the API takes, in bytes. */
export const MOST_BYTES = 10 * 1024 * 1024
/** A longer body is not remembered, in bytes of a request or characters of an answer. */
export const MOST_REMEMBERED = 16_384
const MOST_LEVELS = 100
/** After each step of reading a larger body others have their turn, in bytes. */
const LARGE = 100_000
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

/**
 * Reads the JSON object that a request carries, or an empty object if the body is empty. A request without a
 * Content-Type counts as one without a body.
 * @throws Problem 400, 413 or 415, which says what to send instead
 */
export function readOptionalJsonObject(exchange: Exchange): Promise<JsonObject> {
  exchange.json ??= readOptional(exchange)
  return exchange.json
}

/**
 * Walks the `input` of a create request, once for all callers.
 * @throws Problem 400, 413 or 415, as {@link readJsonObject} does
 */
export function surveyedInput(exchange: Exchange): Promise<InputSurvey> {
  exchange.survey ??= survey(exchange)
  return exchange.survey
}

async function survey(exchange: Exchange): Promise<InputSurvey> {
  const { input = null } = await readJsonObject(exchange)
  return shortened(surveyInput(input))
}

async function read(exchange: Exchange): Promise<JsonObject> {
  checkType(exchange.request)
  return parseObject(await readBytes(exchange), exchange)
}

async function readOptional(exchange: Exchange): Promise<JsonObject> {
  const { request } = exchange
  if (request.header('content-type') === undefined) return {}
  // The bytes decide, because a fetch request has no Content-Length.
  const bytes = await readBytes(exchange)
  if (bytes.length === 0) return {}
  checkType(request)
  return parseObject(bytes, exchange)
}

async function readBytes(exchange: Exchange): Promise<Uint8Array> {
  const bytes = await exchange.request.body(MOST_BYTES, (count) => countTransfer(exchange, count))
  if (bytes !== undefined) return bytes
  throw new Problem('payload_too_large', 'The body is larger than 10 MB. Pass large data by URL instead.')
}

async function parseObject(bytes: Uint8Array, exchange: Exchange): Promise<JsonObject> {
  const { isControl, note } = exchange
  note.bodyHash = fingerprintOf(bytes)
  checkSize(bytes, exchange)
  await turn(bytes)
  const text = decoded(bytes)
  if (bytes.length <= MOST_REMEMBERED) note.requestBody = text ?? lenientDecoder.decode(bytes)
  await turn(bytes)
  const value = parse(text)
  if (!isJsonObject(value)) {
    const example = isControl ? 'see /_sim/docs' : 'such as {"model": "...", "input": {...}}'
    throw new Problem('invalid_request', `The body must be a JSON object, ${example}.`)
  }
  await turn(bytes)
  return value
}

/** Rejects what would take long to parse, before it is parsed. */
function checkSize(bytes: Uint8Array, { sim, isControl }: Exchange): void {
  // A scenario cannot lock anybody out of the control API.
  const mostValues = isControl ? DEFAULTS.api.max_values : sim.scenario.api.maxValues
  const { values, depth } = measureJson(bytes, { values: mostValues, depth: MOST_LEVELS })
  if (depth > MOST_LEVELS) {
    throw new Problem(
      'invalid_request',
      `The body is nested more than ${MOST_LEVELS} levels deep. Send a flatter one.`,
    )
  }
  if (values <= mostValues) return
  const remedy = isControl ? '' : ', pass large data by URL, or raise `api.max_values` in the scenario'
  throw new Problem(
    'payload_too_large',
    `The body holds more than ${mostValues} JSON values, such as texts, numbers and objects. Send fewer${remedy}.`,
  )
}

function turn({ length }: Uint8Array): Promise<void> | undefined {
  return length > LARGE ? yieldToEventLoop() : undefined
}

/** Bodies on their way count as well: many large ones at a time would exceed the memory before any task is made. */
function countTransfer(exchange: Exchange, bytes: number): void {
  const { memory } = exchange.sim
  exchange.transfer ??= new Transfer(memory)
  // A task takes at least the bytes of its request: there is no need to read and to parse what will not fit.
  if (exchange.operation?.id === 'tasks.create' && !memory.fits(exchange.transfer.bytes + bytes))
    throw overBudget(memory)
  exchange.transfer.add(bytes)
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
