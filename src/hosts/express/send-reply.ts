import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Reply, Transmission } from '../../exchange/exchange.js'
import { internalError } from '../../exchange/problem.js'
import { isContinueHeld, lingerUntilReceived, rememberEarlyAnswer } from './unfinished-request.js'

/**
 * Sends a reply. It never throws, because the callers have nobody who could catch the error: if Node rejects the
 * status or a header, the client gets a plain 500.
 * @param onError receives the error
 */
export function sendReply(response: ServerResponse, reply: Reply, onError: (error: unknown) => void): void {
  // Other middleware has answered, such as a timeout in front of the app.
  if (response.headersSent) return
  try {
    const { status, headers, transmission, encoded } = reply
    if (transmission !== undefined) {
      sendTransmission(response, reply, transmission, onError)
      return
    }
    const body = encoded !== undefined && encoded.text === reply.body ? encoded.bytes : reply.body
    // The length of the body is known, so one write without chunks is enough.
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.length
    if (length !== undefined) headers['content-length'] = String(length)
    if (!response.req.complete) prepareEarlyAnswer(response, headers)
    // A text in which each character takes one byte is ASCII. Node writes a long one in a third of the time as Latin-1.
    response.writeHead(status, headers).end(body, length === body?.length ? 'latin1' : 'utf8')
  } catch (error) {
    onError(error)
    sendFailure(response)
  }
}

/** Answers without the headers of the failed reply, in no form of a service, which could fail as well. */
function sendFailure(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const { status, code, message } = internalError()
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { code, message } }))
}

/** Prepares an answer that is sent before the whole request has arrived. */
function prepareEarlyAnswer(response: ServerResponse, headers: Reply['headers']): void {
  rememberEarlyAnswer(response.req)
  if (isContinueHeld(response.req)) {
    headers['connection'] = 'close'
    response.shouldKeepAlive = false
  }
  lingerUntilReceived(response.req, response)
}

/** Sends a faulty or endless reply. */
function sendTransmission(
  response: ServerResponse,
  reply: Reply,
  transmission: Transmission,
  onError: (error: unknown) => void,
): void {
  // The client or a timeout of the server closes the connection.
  if ('hangs' in transmission) return
  if ('ends' in transmission) reset(response, transmission.ends)
  else
    sendPieces(response, reply, transmission).catch((error: unknown) => {
      onError(error)
      response.socket?.destroy()
    })
}

function reset({ socket }: ServerResponse, when: 'before' | 'during'): void {
  if (socket === null) return
  if (when === 'before') socket.resetAndDestroy()
  else socket.write('HTTP/1.1 200 OK\r\nContent-Type: applica', () => socket.resetAndDestroy())
}

async function sendPieces(
  response: ServerResponse,
  { status, headers, body = '' }: Reply,
  { pieces, isEndless, resets, signal }: Extract<Transmission, { pieces: unknown }>,
): Promise<void> {
  // The header has the length of the whole body, so that the client notices a missing part.
  const length = isEndless ? undefined : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length }).flushHeaders()
  if (response.req.method === 'HEAD') {
    response.end()
    return
  }
  const iterator = pieces[Symbol.asyncIterator]()
  const disconnected = new AbortController()
  response.once('close', () => {
    disconnected.abort()
    iterator.return?.()
  })
  signal?.addEventListener('abort', () => response.destroy(), { once: true })
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (response.destroyed) return
      if (!response.write(next.value)) await once(response, 'drain', { signal: disconnected.signal })
    }
    lingerUntilReceived(response.req, response)
    response.end()
  } catch {
    if (response.destroyed) return
    // An empty write ends after all writes before it.
    response.write('', () => (resets ? response.socket?.resetAndDestroy() : response.socket?.destroy()))
  } finally {
    // If the client has already disconnected, the response emits no further `close`.
    iterator.return?.()
  }
}
