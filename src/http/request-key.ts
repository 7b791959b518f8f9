import { type KeyLocation, keyPlaces } from '../dialects/dialect.js'
import { mask } from '../engine/mask.js'
import { Recent } from '../engine/recent.js'
import type { KeyStatus } from '../engine/requests/key-limits.js'
import type { ApiRequest } from '../exchange/exchange.js'
import { Problem, unauthorized } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import type { ServiceExchange } from './operation.js'

const REFUSALS: Readonly<Record<Exclude<KeyStatus, 'accepted'>, string>> = {
  unknown: 'is not accepted. Use one that the scenario lists under `auth.keys`.',
  expired: 'has expired. Use another one.',
  revoked: 'was revoked. Use another one.',
}

/**
 * Finds the API key of a request, for an operation that needs one.
 * @throws Problem 401 if there is none, or the scenario does not accept it; 400 if another required header is missing
 */
export function acceptedKey({ request, at, dialect, sim }: ServiceExchange): string {
  const key = keyIn(request, dialect.key)
  if (key === undefined) throw missingKey(request, dialect.key)
  const status = statusOf(key, at, sim)
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

function missingKey(request: ApiRequest, location: KeyLocation): Problem {
  const { header, scheme } = location
  const remedy = `Send the header \`${header}: ${scheme === undefined ? '' : `${scheme} `}<API_KEY>\`.`
  if (!hasKey(request, location))
    return unauthorized(`The request has no API key. ${remedy}`, scheme, 'missing_key')
  const what = scheme === undefined ? 'API key' : `${scheme} token`
  return unauthorized(`The ${header} header holds no ${what}. ${remedy}`, scheme, 'missing_key')
}

/**
 * A sandbox always accepts its own key, even if the scenario lists other keys. If a client appends a dot and another
 * key, the scenario must accept that key.
 */
function statusOf(key: string, at: number, { requestPolicy, identity }: Simulator): KeyStatus {
  const own = identity?.key
  if (key === own) return 'accepted'
  const listed = own !== undefined && key.startsWith(`${own}.`) ? key.slice(own.length + 1) : key
  return requestPolicy.accounts.statusOf(listed, requestPolicy.since(at))
}

interface Reader {
  /** The name of the header in lower case. */
  readonly header: string
  readonly pattern: RegExp
  /** Keys by the value of the header. */
  readonly keys: Recent<string, string>
}

const readers = new WeakMap<KeyLocation, Reader>()

/** The API key of a request; undefined if it is missing or has another form. */
export function keyIn(request: ApiRequest, location: KeyLocation): string | undefined {
  const key = keyAt(request, location)
  if (key !== undefined || location.or === undefined) return key
  return firstOf(location.or, (other) => keyAt(request, other))
}

function firstOf<Item, Value>(
  items: readonly Item[],
  find: (item: Item) => Value | undefined,
): Value | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function keyAt(request: ApiRequest, location: KeyLocation): string | undefined {
  const { header, pattern, keys } = readers.get(location) ?? newReader(location)
  const value = request.header(header) ?? inQuery(request, location)
  if (value === undefined) return undefined
  // A header's value is a new string with every request. Tasks keep the key, so equal keys share one string.
  const known = keys.get(value)
  if (known !== undefined) return known
  const key = pattern.exec(value)?.[1]
  if (key !== undefined) keys.set(value, key)
  return key
}

/** Whether a request has an API key, valid or not. */
export function hasKey(request: ApiRequest, location: KeyLocation): boolean {
  return keyPlaces(location).some((place) => isAt(request, place))
}

/** The place in which a request has its API key; the first one if it has none. */
export function keyPlaceOf(request: ApiRequest, location: KeyLocation): KeyLocation {
  return keyPlaces(location).find((place) => isAt(request, place)) ?? location
}

function isAt(request: ApiRequest, place: KeyLocation): boolean {
  const { header } = readers.get(place) ?? newReader(place)
  return (request.header(header) ?? inQuery(request, place)) !== undefined
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
    keys: new Recent<string, string>(),
  }
  readers.set(location, reader)
  return reader
}
