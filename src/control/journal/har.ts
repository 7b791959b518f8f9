import { isoTime } from '../../engine/clock/instants.js'
import { maskUrlsIn } from '../../engine/mask.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { jsonText } from '../../exchange/exchange.js'
import { textsOf } from '../../exchange/pages.js'
import type { RequestEntry } from '../../inspect/journal/entry.js'
import { controlOperation } from '../operation.js'
import { RequestQuery } from '../schema/inputs.js'
import { decisionOf, requestHeaders, responseHeaders } from './entry-shape.js'
import { requestsIn } from './requests.js'

export const exportHar = controlOperation('sim.journal.har', {
  tag: 'Record',
  summary: 'Export the requests as a HAR file',
  description:
    'A HAR 1.2 file with the oldest request first, for the network panel of a browser or `tasksim learn`. Keys, tokens and cookies are masked. The times are those of the simulator. A response that did not arrive as a whole has the status 0.',
  query: RequestQuery,
  responses: {
    200: {
      description: 'The file',
      content: { type: 'application/json', schema: { type: 'object', description: 'A HAR 1.2 file' } },
    },
  },
  errors: ['invalid_request'],
  async run({ sim, request }, { query }) {
    const entries = requestsIn(sim, query)
    const origin = request.origin || 'http://tasksim.invalid'
    const textOf = (entry: RequestEntry) => JSON.stringify(harEntry(entry.request, origin))
    const texts = await textsOf({ items: entries, textOf }, Infinity)
    const reply = jsonText(200, `${HAR_START}${texts.join(',\n')}]}}`)
    reply.headers['content-disposition'] = 'attachment; filename="tasksim.har"'
    return reply
  },
})

/** `tasksim learn` recognizes a HAR file by its first bytes. */
const HAR_START = '{"log":{"version":"1.2","creator":{"name":"tasksim","version":"1"},"pages":[],"entries":['

/**
 * A request as an entry of a HAR file. Its times are those of the simulator's clock. A response that did not arrive as
 * a whole has the status 0, as in browsers.
 * @param origin the start of its URL
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
function harEntry(request: AnsweredRequest, origin: string): object {
  const { id, at, answeredAt, delivered } = request
  const decision = decisionOf(request)
  const time = answeredAt - at
  return {
    startedDateTime: isoTime(at),
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
