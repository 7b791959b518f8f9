import type { KeyLocation } from '../dialects/dialect.js'
import { mask } from '../engine/mask.js'
import { Recent } from '../engine/recent.js'
import type { KeyStatus } from '../engine/requests/key-limits.js'
import type { ApiRequest } from '../exchange/exchange.js'
import { Problem, unauthorized } from '../exchange/problem.js'
import type { SentKey, ServiceExchange } from './operation.js'

const REFUSALS: Readonly<Record<Exclude<KeyStatus, 'accepted'>, string>> = {
  unknown: 'is not accepted. Use one that the scenario lists under `auth.keys`.',
  expired: 'has expired. Use another one.',
  revoked: 'was revoked. Use another one.',
}

/**
 * Finds the API key of a request, for an operation that needs one.
 * @throws Problem 401 if there is none, or the scenario does not accept it; 400 if another required header is missing
 */
export function acceptedKey({ request, sentKey: sent, at, dialect, sim }: ServiceExchange): string {
  const key = sent?.key
  if (key === undefined) throw missingKey(sent, dialect.key)
  const own = sim.identity?.key
  // A sandbox always accepts its own key. If a client appends a dot and another key, the scenario must accept that key.
  const listed = own !== undefined && key.startsWith(`${own}.`) ? key.slice(own.length + 1) : key
  const status = key === own ? 'accepted' : sim.requestPolicy.accounts.statusOf(listed, at)
  if (status !== 'accepted') {
    throw unauthorized(`The API key ${mask(key)} ${REFUSALS[status]}`, dialect.key.scheme, 'refused_key')
  }
  if (dialect.requiredHeaders !== undefined) checkHeaders(request, dialect.requiredHeaders)
  return key
}

/** @throws Problem 400 if a header is missing */
function checkHeaders(request: ApiRequest, headers: ReadonlyMap<string, string>): void {
  for (const [name, missing] of headers) {
    if (request.header(name) !== undefined) continue
    const message = `The header \`${missing}\` is missing. Send it with every request, as the official client does.`
    throw new Problem('invalid_request', message, { param: missing })
  }
}

function missingKey(sent: SentKey | undefined, { header, scheme }: KeyLocation): Problem {
  const remedy = `Send the header \`${header}: ${scheme === undefined ? '' : `${scheme} `}<API_KEY>\`.`
  if (sent === undefined) return unauthorized(`The request has no API key. ${remedy}`, scheme, 'missing_key')
  const what = scheme === undefined ? 'API key' : `${scheme} token`
  return unauthorized(`The ${header} header holds no ${what}. ${remedy}`, scheme, 'missing_key')
}

interface Reader {
  /** The name of the header in lower case. */
  readonly header: string
  readonly pattern: RegExp
  /** By the value of the header. */
  readonly sent: Recent<string, SentKey>
}

const readers = new WeakMap<KeyLocation, Reader>()

/** What a request sends at the first location that has a key, or at all; undefined if it sends nothing. */
export function sentKey(request: ApiRequest, location: KeyLocation): SentKey | undefined {
  const sent = sentAt(request, location)
  if (location.or === undefined || sent?.key !== undefined) return sent
  const all = [sent, ...location.or.map((each) => sentAt(request, each))]
  return all.find((each) => each?.key !== undefined) ?? all.find((each) => each !== undefined)
}

function sentAt(request: ApiRequest, location: KeyLocation): SentKey | undefined {
  const { header, pattern, sent } = readers.get(location) ?? newReader(location)
  const value = request.header(header) ?? inQuery(request, location)
  if (value === undefined) return undefined
  // A header's value is a new string with every request. Tasks keep the key, so equal keys share one string.
  const known = sent.get(value)
  if (known !== undefined) return known
  const found = { location, key: pattern.exec(value)?.[1] }
  sent.set(value, found)
  return found
}

/** The value of the query parameter that may hold the key. */
function inQuery({ query }: ApiRequest, { query: name }: KeyLocation): string | undefined {
  if (name === undefined || !query.includes(`${name}=`)) return undefined
  return new URLSearchParams(query).get(name) ?? undefined
}

function newReader(location: KeyLocation): Reader {
  const { header, scheme } = location
  const reader = {
    header: header.toLowerCase(),
    pattern: scheme === undefined ? /^(\S+) *$/ : new RegExp(`^${scheme} +(\\S+) *$`, 'i'),
    sent: new Recent<string, SentKey>(),
  }
  readers.set(location, reader)
  return reader
}
