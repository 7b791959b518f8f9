import { bytesOf } from '../memory/bytes-of.js'

/** The size of headers that only their host can read is estimated, because reading them would slow down each poll. */
const UNREAD_BYTES = 1_000

/** Headers by lower-case name; a header that was sent several times may have several values. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** Headers by lower-case name as a host has them: a record, or pairs that are read when they are shown. */
export type HeaderSource = HeaderRecord | Iterable<readonly [name: string, value: string]>

/** The headers of an exchange as they were sent, with their secrets. */
export interface SentHeaders {
  readonly request: HeaderSource
  readonly response: HeaderRecord
  /** The name of the header with the API key, in any case. */
  readonly keyHeader?: string | undefined
  /** Further strings that no header may show as a whole. */
  readonly secrets: readonly string[]
}

/**
 * The headers of a request and of its answer. It keeps references to the headers as they were sent, and hands them only
 * to the function that masks their secrets, so that no log or JSON of it contains a secret.
 */
export class KeptHeaders {
  readonly #request: HeaderSource
  readonly #response: HeaderRecord
  readonly #keyHeader: string | undefined
  readonly #secrets: readonly string[]

  constructor({ request, response, keyHeader, secrets }: SentHeaders) {
    this.#request = request
    this.#response = response
    this.#keyHeader = keyHeader
    this.#secrets = secrets
  }

  /** Calls a function with the headers as they were sent. Its result must contain no secret. */
  masked<Shown>(shown: (sent: SentHeaders) => Shown): Shown {
    return shown({
      request: this.#request,
      response: this.#response,
      keyHeader: this.#keyHeader,
      secrets: this.#secrets,
    })
  }

  /** How many bytes they count in the memory budget. */
  get bytes(): number {
    const isRead = !(Symbol.iterator in this.#request)
    return bytesOf(this.#response) + (isRead ? bytesOf(this.#request) : UNREAD_BYTES)
  }
}

/** Matches the name of a header (RFC 9110, section 5.6.2). */
export const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/

/** What a field with the name of a header expects. */
export const HEADER_FORM = 'expected the name of a header, such as Authorization'

/** Why a header cannot be set that tasksim sets itself. */
export const MANAGED = 'tasksim sets this header: choose another one'

/** Headers that frame a message or belong to its connection, and the one that would set the prototype of an object. */
const OF_CONNECTION =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|__proto__)$/i

/**
 * Decides which headers a file or a client may set: in answers, in webhooks, and in what a recording or a saved state
 * repeats.
 * @param managed matches further headers that tasksim sets itself at this place
 * @returns why a message may not have a header with this name, with what to do; undefined if it may
 */
export function whyNotSettable(name: string, managed?: RegExp): string | undefined {
  if (!HEADER_NAME.test(name)) return HEADER_FORM
  return OF_CONNECTION.test(name) || managed?.test(name) ? MANAGED : undefined
}

/** Matches the headers that describe the body of a webhook. */
export const OF_BODY = /^content-/i

/** Characters that the value of a header must not have. Hosts write those beyond ASCII in different encodings. */
const UNSENDABLE = /[^\t -~]+/gu
const IS_UNSENDABLE = /[^\t -~]/

/** Clients and receivers accept 8 to 16 KB of headers. */
const LONGEST_VALUE = 8_000

/**
 * The value of a header as it can be sent: line breaks, other controls and letters beyond ASCII are percent-encoded,
 * and what is beyond 8,000 characters is cut off.
 */
export function headerValue(value: string): string {
  if (value.length <= LONGEST_VALUE && !IS_UNSENDABLE.test(value)) return value
  return value.slice(0, LONGEST_VALUE).replace(UNSENDABLE, percentEncoded).slice(0, LONGEST_VALUE)
}

/** Encodes any text with percent signs; half of a surrogate pair becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Changes the values of headers so that they can be sent. */
export function makeSendable(headers: Record<string, string>): void {
  for (const name in headers) headers[name] = headerValue(headers[name] as string)
}

/** The headers that may be set, with values that can be sent. */
export function settableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const settable: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (!whyNotSettable(name)) settable[name] = headerValue(value)
  return settable
}

/** Merges headers. The last one with a name applies, whatever the case of its letters. */
export function mergedHeaders(
  ...lists: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const merged: Record<string, string> = {}
  for (const headers of lists) {
    for (const name in headers) {
      const spelling = spellingIn(merged, name)
      if (spelling !== undefined && spelling !== name) delete merged[spelling]
      merged[name] = headers[name] as string
    }
  }
  return merged
}

/** The name as it is in the headers; undefined if they do not contain it. */
function spellingIn(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  for (const known in headers)
    if (known.length === name.length && known.toLowerCase() === name.toLowerCase()) return known
  return undefined
}
