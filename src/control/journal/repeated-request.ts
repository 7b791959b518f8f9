import type { Dialect } from '../../dialects/dialect.js'
import type { AnsweredRequest } from '../../engine/events.js'
import { isJsonObject, type JsonObject, parseJson } from '../../engine/json.js'
import { maskUrlsIn } from '../../engine/webhooks/receivers/mask-url.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { ServiceRequestShape } from '../shapes.js'
import { requestHeaders } from './entry-shape.js'

/** Headers that a client sets by itself, or that describe its connection. */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|cookie|cache-control|pragma|expect|te|dnt|priority|sec-.*|x-stainless-.*)$/

/**
 * The request that repeats an answered one.
 * @param dialect its wire format; undefined if its path has none
 * @param to `key`: takes the place of the accepted key of the request; a key that was not accepted stays masked
 */
export function repeatedRequest(
  request: AnsweredRequest,
  dialect: Dialect | undefined,
  to: { readonly origin: string; readonly key: string },
): ServiceRequestShape {
  const { method, path, note } = request
  const key = request.key === '' ? undefined : to.key
  const query = queryWithKey(request.query, dialect?.key.query, key)
  return {
    method,
    url: `${to.origin}${path}${query === '' ? '' : `?${query}`}`,
    headers: headersWithKey(requestHeaders(note), dialect, key),
    ...bodyOf(request),
  }
}

function queryWithKey(query: string, name: string | undefined, key: string | undefined): string {
  if (name === undefined || key === undefined) return query
  const masked = `${name}=***`
  return query
    .split('&')
    .map((part) => (part === masked ? `${name}=${key}` : part))
    .join('&')
}

function headersWithKey(
  sent: Readonly<Record<string, string>>,
  dialect: Dialect | undefined,
  key: string | undefined,
): Record<string, string> {
  const headers = Object.entries(sent).filter(
    ([name, value]) => !OWN_HEADERS.test(name) && !(name === 'accept' && value === '*/*'),
  )
  if (dialect === undefined || key === undefined) return Object.fromEntries(headers)
  const { header, scheme } = dialect.key
  const value = scheme === undefined ? key : `${scheme} ${key}`
  return Object.fromEntries(
    headers.map(([name, given]) => [name, name === header.toLowerCase() ? value : given]),
  )
}

/** A form has no JSON, and its files are not in the journal. */
function bodyOf({ note }: AnsweredRequest): { body?: JsonObject; text?: string } {
  const { requestBody } = note
  const isForm = requestHeaders(note)['content-type']?.startsWith('multipart/') === true
  if (requestBody === undefined || isForm) return {}
  const text = maskUrlsIn(requestBody)
  const json = parseJson(text)
  return isJsonObject(json) ? { body: json } : { text }
}

/**
 * Loads the dialect of a request in the journal.
 * @returns undefined if there is none, such as for a dialect of the user that an earlier process had
 */
export async function dialectOfRequest(
  { dialect: name }: AnsweredRequest,
  { dialects }: Simulator,
): Promise<Dialect | undefined> {
  return name !== undefined && dialects.names.includes(name) ? dialects.load(name) : undefined
}
