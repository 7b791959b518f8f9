import type { ApiRequest } from '../exchange.js'

/** What tells one version of a file from another. */
export interface Version {
  /** With its quotes. */
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

/** Whether a part may be sent: it belongs to the version of which the client has the rest (RFC 9110, 13.1.5). */
export function mayBePart(request: ApiRequest, { etag, modified }: Version): boolean {
  const version = request.header('if-range')
  return version === undefined || version === etag || Date.parse(version) === modified
}

/** A part of a file: its first byte and its last one. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const SINGLE = /^bytes=(\d*)-(\d*)$/

/**
 * Which part of a file a `Range` header asks for (RFC 9110, 14.2).
 * @returns undefined where it asks for all: there is none, it makes no sense, or it names several parts, which a server
 * need not serve; `unsatisfiable` where no byte of the file is in it
 */
export function byteRange(
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = SINGLE.exec(header?.replaceAll(' ', '') ?? '')
  if (match === null) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  // Without a beginning it is the last so many bytes.
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined
  return first > last || first >= length ? 'unsatisfiable' : { first, last }
}
