import type { KeyLocation } from '../dialects/dialect.js'
import { Recent } from '../engine/recent.js'
import type { ApiRequest } from '../exchange/exchange.js'

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
  const { header, pattern, keys } = readerOf(location)
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
  return (request.header(readerOf(location).header) ?? inQuery(request, location)) !== undefined
}

/** The value of the query parameter that may hold the key. */
function inQuery({ query }: ApiRequest, { query: name }: KeyLocation): string | undefined {
  if (name === undefined || !query.includes(`${name}=`)) return undefined
  return new URLSearchParams(query).get(name) ?? undefined
}

function readerOf(location: KeyLocation): Reader {
  const known = readers.get(location)
  if (known !== undefined) return known
  const { header, scheme } = location
  const reader = {
    header: header.toLowerCase(),
    pattern: scheme === undefined ? /^(\S+) *$/ : new RegExp(`^${scheme} +(\\S+) *$`, 'i'),
    keys: new Recent<string, string>(),
  }
  readers.set(location, reader)
  return reader
}
