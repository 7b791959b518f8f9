import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** Converts a request of node:http to one of the Fetch API. It is aborted if the client disconnects. */
export function webRequest(request: IncomingMessage, response: ServerResponse): Request {
  const { method = 'GET', url = '/', headers } = request
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal: disconnected.signal,
    ...(hasBody && { body: Readable.toWeb(request) as BodyInit, duplex: 'half' }),
  })
}

/** Sends a response of the Fetch API, also if its body is an endless stream. */
export async function sendResponse(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers))
  if (from.body === null) {
    to.end()
    return
  }
  to.flushHeaders()
  try {
    await pipeline(Readable.fromWeb(from.body as ReadableStream), to)
  } catch (error) {
    // The client may disconnect during a stream.
    if (!to.destroyed) throw error
  }
}
