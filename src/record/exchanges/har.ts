import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { EntryError } from '../history/task-entry.js'
import type { SeenExchange } from './exchange.js'

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
  const at = Date.parse(String(entry['startedDateTime']))
  const { method, url } = request
  if (typeof method !== 'string' || typeof url !== 'string' || !URL.canParse(url) || Number.isNaN(at))
    throw new EntryError('expected an entry with `startedDateTime`, `request.method` and `request.url`')
  const { status, content } = response
  return {
    at,
    answeredAt: at + (typeof entry['time'] === 'number' ? Math.max(0, Math.round(entry['time'])) : 0),
    method,
    url,
    headers: headersIn(request['headers']),
    body: jsonIn(mapping(request['postData'])['text']),
    answer:
      typeof status === 'number' && status > 0
        ? { status, body: jsonIn(textIn(mapping(content))) }
        : undefined,
  }
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
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
}

function jsonIn(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
