import type * as v from 'valibot'
import { type Dialect, keyLocations } from '../../dialects/dialect.js'
import { isJsonObject, type JsonObject, parseJson } from '../../engine/json.js'
import { maskUrlsIn } from '../../engine/mask.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { json, jsonText } from '../../exchange/exchange.js'
import { textsOf } from '../../exchange/pages.js'
import { Problem } from '../../exchange/problem.js'
import { shownKey } from '../../http/api-key.js'
import type { Entry, RequestEntry } from '../../inspect/journal/entry.js'
import type { Simulator } from '../../simulator/simulator.js'
import { withCode } from '../code/with-code.js'
import { controlOperation } from '../operation.js'
import { CodeQuery, RequestQuery } from '../schema/inputs.js'
import type { ServiceRequestShape } from '../shapes.js'
import { entryShape, requestHeaders } from './entry-shape.js'
import { requestMatcher } from './journal.js'

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
    return json(200, await withCode(repeated, dialect, query.code))
  },
})

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
export function requestsIn(
  { journal }: Simulator,
  query: v.InferOutput<typeof RequestQuery>,
): RequestEntry[] {
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
  const locations = dialect === undefined ? [] : keyLocations(dialect.key)
  const query = locations.reduce((query, location) => queryWithKey(query, location.query, key), request.query)
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
  const values = new Map(
    keyLocations(dialect.key).map(({ header, scheme }) => [
      header.toLowerCase(),
      scheme === undefined ? key : `${scheme} ${key}`,
    ]),
  )
  return Object.fromEntries(headers.map(([name, given]) => [name, values.get(name) ?? given]))
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
