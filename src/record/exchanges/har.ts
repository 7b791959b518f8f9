import { fromBase64 } from '../../engine/base64.js'
import { LONGEST_DURATION } from '../../engine/clock/durations.js'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../engine/json.js'
import { EntryError, readInstantText } from '../field-readers.js'
import { eventsIn, type SeenExchange } from './seen-exchange.js'

/** The start of a HAR file. */
const START = /^\uFEFF?\s*\{\s*"log"\s*:/

/** Whether a text is the start of a HAR file. */
export function isHar(start: string): boolean {
  return START.test(start)
}

/**
 * Reads an entry of a HAR file, as browsers and proxies export it.
 * @throws EntryError if it has no request
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export function readHarEntry(value: unknown): SeenExchange {
  const entry = mapping(value)
  const [request, response] = [mapping(entry['request']), mapping(entry['response'])]
  const at = readInstantText(String(entry['startedDateTime']))
  const { method, url } = request
  if (typeof method !== 'string' || typeof url !== 'string' || !URL.canParse(url) || at === undefined)
    throw new EntryError('expected an entry with `startedDateTime`, `request.method` and `request.url`')
  const answeredAt = at + tookIn(entry)
  return {
    at,
    answeredAt,
    method,
    url,
    headers: headersIn(request['headers']),
    body: sentIn(mapping(request['postData'])),
    answer: answerIn(response, answeredAt),
  }
}

/** The milliseconds until the answer; -1 stands for an unknown time. */
function tookIn({ time }: JsonObject): number {
  return typeof time === 'number' ? Math.min(Math.max(0, Math.round(time)), LONGEST_DURATION) : 0
}

/** A body that is JSON, or the texts of a form. */
function sentIn({ text, params }: JsonObject): JsonValue | undefined {
  if (!Array.isArray(params) || params.length === 0) return jsonIn(text)
  const fields = params.filter(isJsonObject).filter(({ fileName }) => fileName === undefined)
  return Object.fromEntries(fields.map(({ name, value = '' }) => [String(name), value]))
}

function answerIn(
  { status, headers: list, content }: JsonObject,
  answeredAt: number,
): SeenExchange['answer'] {
  if (typeof status !== 'number' || status <= 0) return undefined
  const headers = headersIn(list)
  const text = textIn(mapping(content))
  // A HAR file does not say when the events of a stream arrived.
  const isStream = typeof text === 'string' && headers['content-type']?.startsWith('text/event-stream')
  return { status, headers, body: jsonIn(text), ...(isStream && { events: eventsIn([[answeredAt, text]]) }) }
}

function mapping(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function headersIn(list: JsonValue | undefined): Record<string, string> {
  const headers = (Array.isArray(list) ? list : []).filter(isJsonObject)
  return Object.fromEntries(headers.map(({ name, value }) => [String(name).toLowerCase(), String(value)]))
}

function textIn({ text, encoding }: JsonObject): JsonValue | undefined {
  if (encoding !== 'base64' || typeof text !== 'string') return text
  return new TextDecoder().decode(fromBase64(text))
}

function jsonIn(text: JsonValue | undefined): JsonValue | undefined {
  return typeof text === 'string' ? parseJson(text) : undefined
}
