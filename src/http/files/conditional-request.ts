import type { ApiRequest } from '../exchange/exchange.js'

/** Identifies a version of a file. */
export interface Version {
  /** Including its quotes. */
  readonly etag: string
  /** In whole seconds, as epoch milliseconds. */
  readonly modified: number
}

/** Whether the client has this version already (RFC 9110, 13.1.2 and 13.1.3). */
export function isKnown(request: ApiRequest, { etag, modified }: Version): boolean {
  const tags = request.header('if-none-match')
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
  }
  return modified <= Date.parse(request.header('if-modified-since') ?? '')
}

/** Whether a part may be sent: `If-Range` is missing or names this version (RFC 9110, 13.1.5). */
export function mayBePart(request: ApiRequest, { etag, modified }: Version): boolean {
  const version = request.header('if-range')
  return version === undefined || version === etag || Date.parse(version) === modified
}

/** The first and the last byte of a part of a file. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const SINGLE = /^bytes=(\d*)-(\d*)$/

/**
 * Reads a `Range` header (RFC 9110, 14.2).
 * @returns undefined for the whole file: the header is missing, invalid or has several ranges, which a server need not
 * serve; `unsatisfiable` if it is outside of the file
 */
export function byteRange(
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = SINGLE.exec(header?.replaceAll(' ', '') ?? '')
  if (match === null) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  // Without a first byte, the number counts from the end.
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined
  return first > last || first >= length ? 'unsatisfiable' : { first, last }
}
