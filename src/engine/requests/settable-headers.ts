import { UsageError } from '../errors.js'

/** Matches the name of a header (RFC 9110, section 5.6.2). */
export const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/

/** Headers that frame a message or belong to its connection, and the one that would set the prototype of an object. */
const OF_CONNECTION =
  /^(?:connection|content-length|expect|host|http2-settings|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|__proto__)$/i

const LONGEST_SHOWN = 100
const LONGEST_NAME = 256

/**
 * Decides which headers a file or a client may set: in answers, in webhooks, and in what a recording or a saved state
 * repeats.
 * @returns why a message may not have a header with this name, with what to do; undefined if it may
 */
export function whyNotSettable(name: string): string | undefined {
  const shown = JSON.stringify(name.slice(0, LONGEST_SHOWN))
  if (!HEADER_NAME.test(name) || name.length > LONGEST_NAME)
    return `expected the name of a header, such as X-Service-Token, got ${shown}`
  if (OF_CONNECTION.test(name))
    return `${shown} belongs to the connection, which tasksim manages: choose another header, such as X-Service-Token`
  return undefined
}

/** As {@link whyNotSettable}, for a header of a webhook whose body tasksim describes. */
export function whyNotAddable(name: string): string | undefined {
  const describesBody = /^content-/i.test(name) && HEADER_NAME.test(name)
  const shown = JSON.stringify(name.slice(0, LONGEST_SHOWN))
  return describesBody
    ? `${shown} describes the body, which tasksim writes: choose another header, such as X-Service-Token`
    : whyNotSettable(name)
}

/** @throws UsageError if a message may not have a header with this name */
export function checkSettable(name: string): void {
  const reason = whyNotSettable(name)
  if (reason !== undefined) throw new UsageError(`The header cannot be set: ${reason}.`)
}

/** Characters that the value of a header must not have. Hosts write those beyond ASCII in different encodings. */
const UNSENDABLE = /[^\t\x20-\x7e]/
const UNSENDABLE_PARTS = new RegExp(`(?:${UNSENDABLE.source})+`, 'gu')
const LONE_SURROGATES = /\p{Surrogate}/gu

/** Clients and receivers accept 8 to 16 KB of headers. */
const LONGEST_VALUE = 8_000

/**
 * The value of a header as it can be sent: line breaks, other controls and letters beyond ASCII are percent-encoded,
 * and what is beyond 8,000 characters is cut off.
 */
export function headerValue(value: string): string {
  const short = value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value
  if (!UNSENDABLE.test(short)) return short
  return short.replace(UNSENDABLE_PARTS, percentEncoded).slice(0, LONGEST_VALUE)
}

/** Encodes any text with percent signs; half of a surrogate pair becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATES, '\ufffd'))
}

/** Changes the values of headers so that they can be sent. */
export function makeSendable(headers: Record<string, string>): void {
  for (const name in headers) {
    const given = headers[name] ?? ''
    const value = headerValue(given)
    if (value !== given) headers[name] = value
  }
}

/** The headers that may be set, with values that can be sent. */
export function settableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const settable: Record<string, string> = {}
  for (const name in headers)
    if (whyNotSettable(name) === undefined) settable[name] = headerValue(headers[name] ?? '')
  return settable
}
