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
