import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CapturedBody } from './captured-body.js'
import { announcesBody, endToEnd, isJson, without } from './headers.js'
import { replaceUrls } from './replace-urls.js'
import type { Replacements } from './upstream.js'

/** The longest JSON in which URLs are replaced. Longer JSON passes through unchanged. */
const LONGEST_EDITED = 32 * 1_024 * 1_024

/** A request on its way to the service. */
export interface PassingRequest {
  readonly method: string
  readonly url: string
  readonly headers: OutgoingHttpHeaders
  /** The whole body, if it is JSON. */
  readonly json: Buffer | undefined
  /** Any other body. */
  readonly stream: Readable | undefined
  /** The body as far as it has passed through. */
  readonly captured: CapturedBody
}

/**
 * Prepares a request of a client for the service.
 * @param url where it goes
 * @param changes replacements of the addresses of the proxy, which the service does not know; and a header to leave out
 */
export async function passingRequest(
  request: IncomingMessage,
  url: string,
  changes: { readonly replacements: Replacements; readonly without: string | undefined },
): Promise<PassingRequest> {
  const { method = 'GET' } = request
  const captured = new CapturedBody()
  // An encoded body could not be edited or recorded.
  const headers = {
    ...without(endToEnd(request), 'host', 'expect', changes.without ?? ''),
    'accept-encoding': 'identity',
  }
  if (!announcesBody(request.headers))
    return { method, url, headers, json: undefined, stream: undefined, captured }
  if (isEditable(request)) {
    const json = replaceUrls(await buffer(request), changes.replacements)
    captured.add(json)
    return { method, url, headers: without(headers, 'content-length'), json, stream: undefined, captured }
  }
  const stream = captured.tee()
  // The end of the client's connection ends the request to the service, too.
  pipeline(request, stream, () => {})
  return { method, url, headers, json: undefined, stream, captured }
}

function isEditable({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? Infinity)
  return (
    isJson(headers['content-type']) && length <= LONGEST_EDITED && headers['content-encoding'] === undefined
  )
}
