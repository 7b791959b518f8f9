import type { AnsweredRequest } from '../../engine/events.js'
import { maskUrlsIn } from '../../engine/webhooks/receivers/mask-url.js'
import { instant } from '../instant.js'
import { decisionOf } from './decision.js'
import { requestHeaders, responseHeaders } from './shown-headers.js'

/**
 * A request as an entry of a HAR file. Its times are those of the simulator's clock. A response that did not arrive as
 * a whole has the status 0, as in browsers.
 * @param origin the start of its URL
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export function harEntry(request: AnsweredRequest, origin: string): object {
  const { id, at, answeredAt, delivered } = request
  const decision = decisionOf(request)
  const time = answeredAt - at
  return {
    startedDateTime: instant(at),
    time,
    request: harRequest(request, origin),
    response: harResponse(request),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(decision !== undefined && { comment: decision.reason }),
    ...(!delivered && { _error: 'net::ERR_CONNECTION_CLOSED' }),
    _request_id: id,
  }
}

function harRequest({ method, path, query, note }: AnsweredRequest, origin: string): object {
  const headers = requestHeaders(note)
  const text = note.requestBody && maskUrlsIn(note.requestBody)
  return {
    method,
    url: `${origin}${path}${query === '' ? '' : `?${query}`}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(headers)),
    queryString: pairs(new URLSearchParams(query)),
    headersSize: -1,
    bodySize: text === undefined ? 0 : -1,
    ...(text !== undefined && {
      postData: { mimeType: headers['content-type'] ?? 'application/json', text },
    }),
  }
}

function harResponse({ status, delivered, note }: AnsweredRequest): object {
  const headers = responseHeaders(note)
  const text = delivered ? (note.responseBody ?? '') : ''
  return {
    status: delivered ? status : 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: delivered ? pairs(Object.entries(headers)) : [],
    content: { size: text.length, mimeType: headers['content-type'] ?? 'application/octet-stream', text },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  }
}

function pairs(entries: Iterable<readonly [string, string]>): { name: string; value: string }[] {
  return [...entries].map(([name, value]) => ({ name, value }))
}
