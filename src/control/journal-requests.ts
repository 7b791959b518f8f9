import type * as v from 'valibot'
import type { AnsweredRequest } from '../engine/events.js'
import { maskUrlsIn } from '../engine/webhooks/receivers/mask-url.js'
import { textsOf } from '../exchange/pages.js'
import { Problem } from '../exchange/problem.js'
import { json, jsonText } from '../exchange/reply.js'
import { shownKey } from '../http/api-key.js'
import type { Entry, RequestEntry } from '../inspect/journal/entry.js'
import type { Simulator } from '../simulator/simulator.js'
import { withCode } from './code/with-code.js'
import { instant } from './instant.js'
import { decisionOf } from './journal/decision.js'
import { dialectOfRequest } from './journal/dialect-of-request.js'
import { requestMatcher } from './journal/entry-matcher.js'
import { entryShape } from './journal/entry-shape.js'
import { repeatedRequest } from './journal/repeated-request.js'
import { requestHeaders, responseHeaders } from './journal/shown-headers.js'
import { controlOperation } from './operation.js'
import { CodeQuery, RequestQuery } from './schema/queries.js'

/** The documentation of the parameter in paths of one request. */
export const REQUEST_ID = { id: 'The id of the request, as in `X-Request-Id`' }

export const readAnsweredRequest = controlOperation('sim.journal.request', {
  tag: 'Record',
  summary: 'Read an answered request',
  params: REQUEST_ID,
  responses: { 200: { description: 'The entry of the journal', json: 'RequestEntry' } },
  errors: ['not_found'],
  run: ({ sim, params: [id = ''] }) => json(200, entryShape(entryOf(id, sim))),
})

export const repeatRequest = controlOperation('sim.journal.repeat', {
  tag: 'Record',
  summary: 'Read a request that repeats an answered one',
  description:
    'An API key that was accepted becomes one to try, as in `GET /_sim/tasks/{id}/request`; other secrets are masked. The files of a form are missing.',
  params: REQUEST_ID,
  query: CodeQuery,
  responses: { 200: { description: 'The request', json: 'ServiceRequest' } },
  errors: ['invalid_request', 'not_found'],
  async run({ sim, request: { origin }, params: [id = ''] }, { query }) {
    const { request } = entryOf(id, sim)
    const dialect = await dialectOfRequest(request, sim)
    const repeated = repeatedRequest(request, dialect, { origin, key: shownKey(sim) })
    return json(200, await withCode(repeated, dialect, query))
  },
})

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

export const exportRequests = controlOperation('sim.journal.json', {
  tag: 'Record',
  summary: 'Export the requests as JSON',
  description: 'All matching requests of the journal with headers and bodies, the oldest first.',
  query: RequestQuery,
  responses: {
    200: {
      description: 'The file',
      content: {
        type: 'application/json',
        schema: { type: 'array', description: 'Entries of the journal, as in `GET /_sim/journal/{id}`' },
      },
    },
  },
  errors: ['invalid_request'],
  async run({ sim }, { query }) {
    const textOf = (entry: RequestEntry) => JSON.stringify(entryShape(entry))
    const texts = await textsOf({ items: requestsIn(sim, query), textOf }, Infinity)
    const reply = jsonText(200, `[${texts.join(',\n')}]`)
    reply.headers['content-disposition'] = 'attachment; filename="requests.json"'
    return reply
  },
})

/** The matching requests in the journal, oldest first. */
function requestsIn({ journal }: Simulator, query: v.InferOutput<typeof RequestQuery>): RequestEntry[] {
  return journal
    .entries()
    .filter((entry) => isRequest(entry))
    .filter(requestMatcher(query))
}

function isRequest(entry: Entry): entry is RequestEntry {
  return entry.type === 'request'
}

/**
 * The entry of a request in the journal.
 * @throws Problem 404 if there is none
 */
export function entryOf(id: string, { journal }: Simulator): RequestEntry {
  const matches = (entry: Entry) => isRequest(entry) && entry.request.id === id
  const entry = journal.list({ limit: 1, matches }).entries[0]
  if (entry !== undefined && isRequest(entry)) return entry
  throw new Problem('not_found', `There is no request ${id.slice(0, 100)} in the journal, or it was evicted.`)
}

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
